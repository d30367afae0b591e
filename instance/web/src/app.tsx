import { useSignalEffect } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { ErrorBoundary, LocationProvider, Route, Router, useLocation } from "preact-iso";
import { secondFactorWanted } from "./api/connection";
import { Frame } from "./frame/frame";
import { PlainFrame } from "./frame/plain-frame";
import { NotFound, OutOfReach } from "./parts/out-of-reach";
import { titleEnding, titleStart } from "./parts/page-head";
import { ProblemNotice } from "./parts/problem";
import { type Place, places } from "./routes";
import { boot, bootProblem, isAdmin, ownPassword, readBoot, siteName, user } from "./session";
import { frame } from "./text/en/frame";

/** Addresses of this page. What the service sends itself, a file to be saved for example, is left to the browser. */
const PLACES = /^(?!\/(?:api|d)\/)/;

export function App() {
  useSignalEffect(() => {
    titleStart.value = frame.inTitle(boot.value?.unread?.messages ?? 0);
    titleEnding.value = siteName.value;
  });
  if (bootProblem.value) return <StartsNot />;
  return (
    <LocationProvider scope={PLACES}>
      <Inside />
    </LocationProvider>
  );
}

/** The screen of the address, in the frame of who looks at it. */
function Inside() {
  const { path } = useLocation();
  if (user.value?.mustChangePassword && path !== ownPassword) return <Redirect to={ownPassword} />;
  // Nothing else is answered to one of the staff who must set up a second factor first.
  if (secondFactorWanted.value && path !== "/profile") return <Redirect to="/profile?tab=second-factor" />;
  const mine = places.filter(isForMe);
  const others = places.filter((place) => !isForMe(place));
  const Around = user.value && !user.value.mustChangePassword ? Frame : PlainFrame;
  return (
    <Around>
      <ErrorBoundary>
        <Router>
          {mine.map((place) => (
            <Route key={place.path} path={place.path} component={place.screen} />
          ))}
          {others.map((place) => (
            <Route key={`not ${place.path}`} path={place.path} component={NotMine} />
          ))}
          <Route default component={Nowhere} />
        </Router>
      </ErrorBoundary>
    </Around>
  );
}

function isForMe({ audience }: Place): boolean {
  if (audience === "anybody") return true;
  if (!user.value) return false;
  return audience === "signed-in" || (audience === "admin") === isAdmin.value;
}

/** Somebody else's place: who is not signed in signs in first and comes back. */
const NotMine: ComponentType = () => (user.value ? <OutOfReach /> : <ToSignIn />);

const Nowhere: ComponentType = () => (user.value ? <NotFound /> : <ToSignIn />);

function ToSignIn() {
  const { url } = useLocation();
  return <Redirect to={url === "/" ? "/sign-in" : `/sign-in?next=${encodeURIComponent(url)}`} />;
}

/** Goes once: it may still stand while the screen that it leads to is fetched. */
function Redirect({ to }: { to: string }) {
  const { route } = useLocation();
  useEffect(() => route(to, true), []);
  return null;
}

function StartsNot() {
  const problem = bootProblem.value;
  return (
    <main class="plain">
      <h1>{frame.startsNot}</h1>
      {problem && <ProblemNotice problem={problem} onTryAgain={() => void readBoot()} />}
    </main>
  );
}

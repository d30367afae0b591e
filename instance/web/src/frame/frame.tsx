import type { ComponentChildren } from "preact";
import { useLocation } from "preact-iso";
import { useLive } from "../api/live";
import { Icon } from "../parts/icon";
import { Menu } from "../parts/menu";
import { Toasts } from "../parts/toast";
import { facilityRail, type Link, rail } from "../routes";
import { boot, isAdmin, readBoot, siteName } from "../session";
import { frame } from "../text/en/frame";
import { count } from "../text/format";
import { AccountMenu } from "./account-menu";
import { Bars, SkipLink } from "./bars";
import { Bell } from "./bell";
import { Brand } from "./brand";
import { Confirmation } from "./confirmation";
import { GoTo } from "./go-to";
import { PasswordAgain } from "./password-again";
import { SignOut } from "./sign-out";
import { Uploads } from "./uploads";

const IN_BOTTOM_BAR = 4;
const UNREAD = ["messages", "notifications"];

/** Around every page of who is signed in. */
export function Frame({ children }: { children: ComponentChildren }) {
  useLive(UNREAD, readUnread);
  return (
    <>
      <SkipLink />
      <Bars />
      <div class="frame">
        <div class="rail">
          <header class="rail-head">
            <Brand name={siteName.value} />
            <GoTo />
          </header>
          <Rail />
          <section class="rail-foot" aria-label={frame.you}>
            <Bell />
            <AccountMenu />
          </section>
        </div>
        <main id="content" class="content" tabIndex={-1}>
          {children}
        </main>
      </div>
      <Uploads />
      <Toasts />
      <SignOut />
      <Confirmation />
      <PasswordAgain />
    </>
  );
}

let isAsked = false;

/** A reply is a message and a notification: they are told apart and read together. */
function readUnread(): void {
  if (isAsked) return;
  isAsked = true;
  setTimeout(() => {
    isAsked = false;
    void readBoot();
  }, 250);
}

function Rail() {
  const { path } = useLocation();
  const links = rail.filter(isMine);
  const more = isAdmin.value ? facilityRail : [];
  const hidden = [...links.slice(IN_BOTTOM_BAR), ...more];
  return (
    <nav class="rail-nav" aria-label={frame.main}>
      <ul class="rail-list">
        {links.map((link, place) => (
          <RailLink key={link.href} link={link} path={path} isSpare={place >= IN_BOTTOM_BAR} />
        ))}
      </ul>
      {more.length > 0 && (
        <>
          <p class="rail-label" id="rail-facility">
            {frame.facility}
          </p>
          <ul class="rail-list" aria-labelledby="rail-facility">
            {more.map((link) => (
              <RailLink key={link.href} link={link} path={path} isSpare />
            ))}
          </ul>
        </>
      )}
      {hidden.length > 0 && (
        <div class="rail-more">
          <Menu label={frame.more} isBare align="end" groups={[{ items: hidden }]}>
            <Icon name="more" />
            <span>{frame.more}</span>
          </Menu>
        </div>
      )}
    </nav>
  );
}

const isMine = ({ audience }: Link): boolean =>
  audience === "signed-in" || audience === (isAdmin.value ? "admin" : "researcher");

function RailLink({ link, path, isSpare }: { link: Link; path: string; isSpare: boolean }) {
  const { href, label, icon, unread } = link;
  const isHere = href === "/" ? path === "/" : path === href || path.startsWith(`${href}/`);
  const waiting = unread === "messages" ? (boot.value?.unread?.messages ?? 0) : 0;
  return (
    <li class={isSpare ? "rail-spare" : undefined}>
      <a class="rail-link" href={href} title={label} aria-current={isHere ? "page" : undefined}>
        <Icon name={icon} />
        <span class="rail-word">{label}</span>
        {waiting > 0 && (
          <span class="rail-count">
            {count(waiting)}
            <span class="unseen"> {frame.unread(waiting)}</span>
          </span>
        )}
      </a>
    </li>
  );
}

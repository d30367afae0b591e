import { choose, type Density, density, type Theme, theme } from "../look";
import { Icon } from "../parts/icon";
import { Menu } from "../parts/menu";
import { user } from "../session";
import { frame } from "../text/en/frame";
import { askToSignOut } from "./sign-out";

const THEMES: readonly Theme[] = ["system", "light", "dark"];
const DENSITIES: readonly Density[] = ["compact", "normal", "comfortable"];

export function AccountMenu() {
  const person = user.value;
  return (
    <Menu
      label={frame.account}
      isBare
      align="start"
      groups={[
        {
          label: person ? `${person.firstName} ${person.lastName}` : undefined,
          items: [
            { label: frame.profile, icon: "person", href: "/profile" },
            { label: frame.help, icon: "help", href: "/help" },
          ],
        },
        {
          label: frame.theme,
          items: THEMES.map((each) => ({
            label: frame.themes[each],
            isChosen: theme.value === each,
            onChoose: () => choose({ theme: each }),
          })),
        },
        {
          label: frame.density,
          items: DENSITIES.map((each) => ({
            label: frame.densities[each],
            isChosen: density.value === each,
            onChoose: () => choose({ density: each }),
          })),
        },
        { items: [{ label: frame.signOut, onChoose: () => void askToSignOut() }] },
      ]}
    >
      <Icon name="person" />
      <span class="rail-word">{frame.account}</span>
    </Menu>
  );
}

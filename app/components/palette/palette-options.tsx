import { Newspaper, Search } from "lucide-react";
import type { ReactNode } from "react";
import { Avatar } from "#app/components/ui/avatar.tsx";
import type { PaletteEffect, PaletteEntry } from "./palette-entries.ts";
import type { FoundPerson, FoundPost } from "./use-palette-results.ts";

export type PaletteOption = {
  key: string;
  label: string;
  hint: string;
  picture: ReactNode;
  effect: PaletteEffect;
};

export type PaletteGroup = { title: string; options: PaletteOption[] };

type Shown = {
  typed: string;
  actions: PaletteEntry[];
  pages: PaletteEntry[];
  people: FoundPerson[];
  posts: FoundPost[];
};

/** The options of the palette under their titles, without empty groups. */
export function paletteGroups({ typed, actions, pages, people, posts }: Shown): PaletteGroup[] {
  const groups = [
    { title: "Ações", options: actions.map(entryOption) },
    { title: "Páginas", options: pages.map(entryOption) },
    { title: "Pessoas", options: people.map(personOption) },
    { title: "Publicações", options: posts.map(postOption) },
    { title: "Procurar", options: typed === "" ? [] : [searchOption(typed)] },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

/** Where the active option is now. Without one, or once it is gone, the first is active. */
export const activeIndex = (options: PaletteOption[], key: string | null): number =>
  Math.max(
    0,
    options.findIndex((option) => option.key === key),
  );

/** The key of the option `step` after the active one, from the last to the first and back. */
export function keyAfter(
  options: PaletteOption[],
  key: string | null,
  step: 1 | -1,
): string | null {
  if (options.length === 0) return null;
  const next = (activeIndex(options, key) + step + options.length) % options.length;
  return options[next]?.key ?? null;
}

const ICON = "size-5 shrink-0 text-muted";

const entryOption = ({ label, hint, Icon, effect }: PaletteEntry): PaletteOption => ({
  key: effect.type === "go" ? `go ${effect.to}` : `${effect.type} ${label}`,
  label,
  hint,
  picture: <Icon aria-hidden="true" className={ICON} />,
  effect,
});

const personOption = ({ username, name, avatarUrl }: FoundPerson): PaletteOption => ({
  key: `person ${username}`,
  label: name,
  hint: `@${username}`,
  picture: <Avatar name={name} src={avatarUrl} size="sm" />,
  effect: { type: "go", to: `/space/${username}` },
});

const postOption = ({ id, title, author }: FoundPost): PaletteOption => ({
  key: `post ${id}`,
  label: title,
  hint: author,
  picture: <Newspaper aria-hidden="true" className={ICON} />,
  effect: { type: "go", to: `/post/${id}` },
});

const searchOption = (typed: string): PaletteOption => ({
  key: "search",
  label: `Procurar “${typed}” em Explorar`,
  hint: "",
  picture: <Search aria-hidden="true" className={ICON} />,
  effect: { type: "go", to: `/explore?${new URLSearchParams({ q: typed })}` },
});

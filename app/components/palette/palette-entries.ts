import {
  Gift,
  HelpCircle,
  Keyboard,
  Layers,
  LogOut,
  Monitor,
  Moon,
  NotebookPen,
  PenLine,
  PlaneTakeoff,
  Repeat,
  Settings,
  ShieldCheck,
  Sun,
  Ticket,
  User,
  Users,
} from "lucide-react";
import type { LucideIcon } from "lucide-react";
import { railDestinations } from "#app/components/shell/navigation/navigation.ts";
import { settingsMenu } from "#app/components/shell/navigation/settings-menu.ts";
import { STAFF_PAGES } from "#app/components/shell/navigation/staff-pages.ts";
import { foldName } from "#app/lib/fold-name.ts";
import type { ShownFeatures } from "#app/lib/uncompleted-features.ts";
import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import type { ThemePreference } from "#app/lib/theme.ts";

/** What the page around the palette has of the person. */
export type PalettePerson = ShownFeatures & {
  /** The page that the person acts for; null for their own. */
  spaceId: string | null;
  isCreator: boolean;
  publishes: boolean;
  readsMessages: boolean;
  hasTeams: boolean;
  isModerator: boolean;
};

/** Permissions that only the server has, for the page that the person acts for. */
export type PalettePermissions = {
  editsPlans: boolean;
  seesMoney: boolean;
  managesBilling: boolean;
};

/** What happens when an entry is chosen. `isDocument` pages are loaded without the router. */
export type PaletteEffect =
  | { type: "go"; to: string; isDocument?: boolean }
  | { type: "theme"; preference: ThemePreference }
  | { type: "help" }
  | { type: "sign-out" };

export type PaletteEntry = {
  label: string;
  /** Further words that find the entry; shown beside it. */
  hint: string;
  Icon: LucideIcon;
  effect: PaletteEffect;
};

const NO_PERMISSIONS: PalettePermissions = {
  editsPlans: false,
  seesMoney: false,
  managesBilling: false,
};

/** Actions that the person may do, in the order of the palette. */
export function paletteActions(
  person: PalettePerson,
  permissions: PalettePermissions | null,
): PaletteEntry[] {
  const { editsPlans } = permissions ?? NO_PERMISSIONS;
  const publishes = person.isCreator && person.publishes;
  return [
    ...(publishes ? [page("/post/create", "Publicar", "Nova publicação", PenLine)] : []),
    ...(publishes ? [page("/collection/create", "Criar coleção", "Nova coleção", Layers)] : []),
    ...(person.isCreator && editsPlans
      ? [
          page("/plan/create", "Criar plano", "Novo plano de assinatura", Repeat),
          page("/me/coupons/create", "Criar cupom", "Novo desconto", Ticket),
          page("/me/subscribers/comp", "Dar cortesia", "Assinatura sem cobrança", Gift),
          page("/me/vacation", "Tirar férias", "Pausar as cobranças da página", PlaneTakeoff),
        ]
      : []),
    ...(person.isCreator ? [] : [page("/space/create", "Abrir minha página", "Criar", PenLine)]),
    ...(person.hasTeams
      ? [page("/settings/teams/acting", "Trocar de página", "Cuidar da página da equipe", Users)]
      : []),
    theme("light", "Tema claro", Sun),
    theme("dark", "Tema escuro", Moon),
    theme("system", "Tema do aparelho", Monitor),
    { label: "Atalhos do teclado", hint: "Teclas", Icon: Keyboard, effect: { type: "help" } },
    { label: "Sair", hint: "Encerrar a sessão", Icon: LogOut, effect: { type: "sign-out" } },
  ];
}

/** Pages that the person may open, each once, in the order of the palette. */
export function palettePages(
  person: PalettePerson,
  permissions: PalettePermissions | null,
): PaletteEntry[] {
  const may = permissions ?? NO_PERMISSIONS;
  const menu = settingsMenu({ isCreator: person.isCreator, ...may }).flatMap(({ items }) => items);
  const all = [
    ...railDestinations(person).map(({ to, label, Icon }) => page(to, label, "", Icon)),
    page("/me", "Minha página", "Perfil", User),
    ...(person.isCreator && person.publishes
      ? [
          page("/me/drafts", "Rascunhos e agendadas", "Publicações", NotebookPen),
          page("/me/collections", "Coleções", "Da página", Layers),
        ]
      : []),
    ...(person.isCreator && may.editsPlans
      ? [page("/me/coupons", "Cupons", "Descontos", Ticket)]
      : []),
    ...menu.map(({ to, label, hint }) => page(to, label, hint, Settings)),
    ...(person.isModerator
      ? STAFF_PAGES.map(({ to, label }) => page(to, label, "Moderação", ShieldCheck))
      : []),
    help,
  ];
  const shown = all.filter(
    ({ effect }) => effect.type !== "go" || !isHiddenPath(effect.to, person),
  );
  const paths = shown.map(pathOf);
  return shown.filter((entry, index) => paths.indexOf(pathOf(entry)) === index);
}

/** The entries in whose label or hint a word starts with each typed word, without accents. */
export function matchingEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const wanted = termsOf(typed);
  return entries.filter(({ label, hint }) => {
    const terms = termsOf(`${label} ${hint}`);
    return wanted.every((start) => terms.some((word) => word.startsWith(start)));
  });
}

const termsOf = (text: string): string[] =>
  foldName(text)
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

const pathOf = ({ effect }: PaletteEntry): string => (effect.type === "go" ? effect.to : "");

const page = (to: string, label: string, hint: string, Icon: LucideIcon): PaletteEntry => ({
  label,
  hint,
  Icon,
  effect: { type: "go", to },
});

const theme = (preference: ThemePreference, label: string, Icon: LucideIcon): PaletteEntry => ({
  label,
  hint: "Trocar tema, aparência",
  Icon,
  effect: { type: "theme", preference },
});

const help: PaletteEntry = {
  label: "Ajuda",
  hint: "Perguntas e respostas",
  Icon: HelpCircle,
  effect: { type: "go", to: "/ajuda", isDocument: true },
};

import { isHiddenPath } from "#app/lib/uncompleted-features.ts";
import type { ShownFeatures } from "#app/lib/uncompleted-features.ts";

/**
 * What a shortcut does. `step` moves between the posts or conversations of a list. `typed` was
 * typed for the palette before it was there.
 */
export type ShortcutEffect =
  | { type: "palette"; typed?: string }
  | { type: "help" }
  | { type: "go"; to: string }
  | { type: "step"; by: 1 | -1 }
  | { type: "like" };

/** One key, or two that are pressed one after the other. */
export type Shortcut = { keys: readonly string[]; label: string; effect: ShortcutEffect };

type ShortcutsOf = ShownFeatures & {
  isCreator: boolean;
  publishes: boolean;
  readsMessages: boolean;
  isModerator: boolean;
};

const go = (keys: readonly string[], label: string, to: string): Shortcut => ({
  keys,
  label,
  effect: { type: "go", to },
});

/** The shortcuts of a person, in the order of the help. Leaves out what they may not open. */
export function shortcutsFor(who: ShortcutsOf): Shortcut[] {
  const all: Shortcut[] = [
    { keys: ["/"], label: "Buscar ou ir para", effect: { type: "palette" } },
    { keys: ["?"], label: "Mostrar os atalhos", effect: { type: "help" } },
    {
      keys: ["j"],
      label: "Próxima publicação ou conversa da lista",
      effect: { type: "step", by: 1 },
    },
    {
      keys: ["k"],
      label: "Publicação ou conversa anterior da lista",
      effect: { type: "step", by: -1 },
    },
    { keys: ["l"], label: "Curtir a publicação em foco", effect: { type: "like" } },
    ...(who.isCreator && who.publishes
      ? [go(["n"], "Escrever uma publicação", "/post/create")]
      : []),
    go(["g", "i"], "Início", "/"),
    go(["g", "e"], "Explorar", "/explore"),
    go(["g", "n"], "Notificações", "/notifications"),
    ...(who.readsMessages ? [go(["g", "m"], "Mensagens", "/messages")] : []),
    go(["g", "p"], "Minha página", "/me"),
    go(["g", "c"], "Compras", "/settings/purchases"),
    go(["g", "s"], "Assinaturas", "/settings/subscriptions"),
    go(["g", "a"], "Ajustes", "/settings"),
    ...(who.isModerator ? [go(["g", "o"], "Moderação", "/admin")] : []),
  ];
  return all.filter(({ effect }) => effect.type !== "go" || !isHiddenPath(effect.to, who));
}

/**
 * The keys of messages for the help: `conversation-keys.ts` and `message-composer.tsx` have them.
 * Each is pressed together with the one before it, or is in a field, so that none is switched off.
 */
export const MESSAGE_KEYS: readonly Pick<Shortcut, "keys" | "label">[] = [
  { keys: ["Alt", "↓"], label: "Próxima conversa" },
  { keys: ["Alt", "↑"], label: "Conversa anterior" },
  { keys: ["Enter"], label: "Enviar a mensagem" },
  { keys: ["Shift", "Enter"], label: "Quebrar a linha da mensagem" },
  { keys: ["Esc"], label: "Sair da conversa, ou da resposta" },
];

/** How long the second key of a pair may take, in milliseconds. */
export const SECOND_KEY_WITHIN_MS = 1_500;

/**
 * Finds the shortcut of a pressed key. `before` is the first key of a pair that was pressed just
 * now, or null. Returns `first` for a key that starts a pair, and null for a key without a
 * meaning.
 */
export function shortcutOf(
  shortcuts: readonly Shortcut[],
  { key, before }: { key: string; before: string | null },
): Shortcut | "first" | null {
  const pressed = before === null ? [key] : [before, key];
  const found = shortcuts.find(({ keys }) => isSame(keys, pressed));
  if (found) return found;
  if (before !== null) return shortcutOf(shortcuts, { key, before: null });
  return shortcuts.some(({ keys }) => keys.length > 1 && keys[0] === key) ? "first" : null;
}

const isSame = (keys: readonly string[], pressed: readonly string[]): boolean =>
  keys.length === pressed.length && keys.every((key, index) => key === pressed[index]);

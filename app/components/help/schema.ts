/** A short answer. `id` is its anchor on `/ajuda`. `terms` are other words that people search for. */
export type HelpAnswer = {
  id: string;
  asked: string;
  text: string;
  terms?: string;
  link?: { to: string; label: string };
};

export type HelpGroup = { id: string; title: string; answers: readonly HelpAnswer[] };

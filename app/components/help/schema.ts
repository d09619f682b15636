/** A short answer. `id` is its anchor on `/ajuda`. `words` are other words that people search for. */
export type HelpAnswer = {
  id: string;
  asked: string;
  text: string;
  words?: string;
  link?: { to: string; label: string };
};

export type HelpGroup = { id: string; title: string; answers: readonly HelpAnswer[] };

/** An amount or a word in a table; `to` is where its page shows what is behind it. */
export type PaperCell = { text: string; to?: string };

/** Amounts in columns; the first column names what they are of. `last` is their sum. */
export type PaperTable = {
  caption: string;
  head: string[];
  rows: PaperCell[][];
  last?: PaperCell[];
};

/** `to` is where its page shows what is behind it. `totalCents`: what the paper itself comes to. */
export type PaperFact = { label: string; value: string; to?: string; totalCents?: number };

export type PaperSection = {
  title: string;
  facts?: PaperFact[];
  table?: PaperTable;
  note?: string;
};

/** A paper as it is read, on its page and in its PDF alike. */
export type Paper = {
  title: string;
  /** What it is not. */
  notice: string;
  /** What its file is called, and what its edge is drawn from. */
  fileTitle: string;
  seed: string;
  /** Below its title, small. */
  line: string;
  total: string | null;
  sections: PaperSection[];
  foot: string[];
};

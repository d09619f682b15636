/** An amount or a word in a table; `to` is where its page shows what is behind it. */
export type DocumentCell = { text: string; to?: string };

/** Amounts in columns; the first column names what they are of. `last` is their sum. */
export type DocumentTable = {
  caption: string;
  head: string[];
  rows: DocumentCell[][];
  last?: DocumentCell[];
};

/** `to` is where its page shows what is behind it. `totalCents`: what the paper itself comes to. */
export type DocumentDetail = { label: string; value: string; to?: string; totalCents?: number };

export type DocumentSection = {
  title: string;
  facts?: DocumentDetail[];
  table?: DocumentTable;
  note?: string;
};

/** A paper as it is read, on its page and in its PDF alike. */
export type PrintableDocument = {
  title: string;
  /** What it is not. */
  notice: string;
  /** What its file is called, and what its edge is drawn from. */
  fileTitle: string;
  seed: string;
  /** Below its title, small. */
  line: string;
  total: string | null;
  sections: DocumentSection[];
  foot: string[];
};

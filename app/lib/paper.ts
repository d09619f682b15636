/** An amount or a text in a table. `to` is the page with its details. */
export type DocumentCell = { text: string; to?: string };

/** Amounts in columns. The first column names the rows. `last` is their sum. */
export type DocumentTable = {
  caption: string;
  head: string[];
  rows: DocumentCell[][];
  last?: DocumentCell[];
};

/** `to` is the page with its details. `totalCents` is the total of that document itself. */
export type DocumentDetail = { label: string; value: string; to?: string; totalCents?: number };

export type DocumentSection = {
  title: string;
  details?: DocumentDetail[];
  table?: DocumentTable;
  note?: string;
};

/** A printable document, the same on its page and in its PDF. */
export type PrintableDocument = {
  title: string;
  /** What the document is not. */
  notice: string;
  /** The file name, and the seed of its border. */
  fileTitle: string;
  seed: string;
  /** Below its title, small. */
  line: string;
  total: string | null;
  sections: DocumentSection[];
  foot: string[];
};

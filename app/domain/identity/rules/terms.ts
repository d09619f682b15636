/** The terms in force: the day from which the four documents under /terms hold. A change of substance is told by e-mail 15 days before. */
export const TERMS_VERSION = "2026-11-22";

const LONG_DAY = new Intl.DateTimeFormat("pt-BR", { dateStyle: "long", timeZone: "UTC" });

/** "22 de novembro de 2026". */
export const termsDay = (version: string): string => LONG_DAY.format(Date.parse(version));

/**
 * The newest terms: the day from which the four documents under /terms apply. Staff announce a
 * version at least 15 days before, at `/admin/news` (`announceTerms`).
 */
export const TERMS_VERSION = "2026-12-15";

/**
 * Whether a person is asked to accept the terms in force: they accepted an older version, or none.
 * The question never closes a page. Source: issue 6, "Documents".
 */
export const mustAcceptTerms = (latest: string | null): boolean => latest !== TERMS_VERSION;

const LONG_DAY = new Intl.DateTimeFormat("pt-BR", { dateStyle: "long", timeZone: "UTC" });

/** "27 de novembro de 2026". */
export const formatTermsVersion = (version: string): string => LONG_DAY.format(Date.parse(version));

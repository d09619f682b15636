/**
 * The company that runs the platform, as every offer and receipt names it. `cnpj` is formatted:
 * `12.ABC.345/01DE-35`.
 */
export type PlatformCompany = {
  name: string;
  cnpj: string;
  address: string;
  email: string;
  privacyEmail: string;
};

/**
 * The issuer of the fee invoices, as a city hall knows it: municipal registration (eight digits),
 * service code (five), ISS in hundredths of a percent.
 */
export type Issuer = { municipalId: string; serviceCode: string; issBasisPoints: number };

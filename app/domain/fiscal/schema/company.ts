/**
 * Who runs the platform, as every offer and receipt names it. `cnpj` as it is written,
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
 * Who issues the invoices of the fee, as a city hall knows them: municipal registration (eight
 * digits), code of the service (five), ISS in hundredths of a percent.
 */
export type Issuer = { municipalId: string; serviceCode: string; issBasisPoints: number };

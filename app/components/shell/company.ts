import { useRouteLoaderData } from "react-router";
import type { PlatformCompany } from "#app/domain/fiscal/schema/company.ts";
import {
  TERMS_VERSION,
  formatTermsVersion,
} from "#app/domain/identity/registration/rules/terms.ts";

/**
 * Who runs the platform, as Decreto 7.962/2013 (art. 2) asks every offer and receipt to say: as
 * configured, told with the page.
 */
export function useCompany(): PlatformCompany {
  const company = useCompanyIfKnown();
  if (!company) throw new Error("a page without its root knows no company");
  return company;
}

/** The same where the page itself could not be made: then nobody is named. */
export function useCompanyIfKnown(): PlatformCompany | undefined {
  return useRouteLoaderData<{ company?: PlatformCompany }>("root")?.company;
}

/** The day of the four documents under /terms. */
export const TERMS_DATE = formatTermsVersion(TERMS_VERSION);

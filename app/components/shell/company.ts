import { useRouteLoaderData } from "react-router";
import type { PlatformCompany } from "#app/domain/fiscal/schema/company.ts";
import {
  TERMS_VERSION,
  formatTermsVersion,
} from "#app/domain/identity/registration/rules/terms.ts";

/**
 * The platform's configured company, loaded with the page. Decreto 7.962/2013 (art. 2) requires it
 * on every offer and receipt.
 */
export function useCompany(): PlatformCompany {
  const company = useCompanyIfKnown();
  if (!company) throw new Error("a page without its root knows no company");
  return company;
}

/** The company, or undefined on a page that failed to load. */
export function useCompanyIfKnown(): PlatformCompany | undefined {
  return useRouteLoaderData<{ company?: PlatformCompany }>("root")?.company;
}

/** Date of the documents under /terms. */
export const TERMS_DATE = formatTermsVersion(TERMS_VERSION);

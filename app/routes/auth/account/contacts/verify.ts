import { redirect } from "react-router";
import { contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";

/** Redirects old links of emails and pages that asked for a code. */
export const loader = () => redirect(contactsPath("email"), 301);

import { redirect } from "react-router";
import { contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";

/** Redirects the old page of the time when an account had a single email. */
export const loader = () => redirect(contactsPath("email"), 301);

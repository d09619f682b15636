import { redirect } from "react-router";
import { contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";

/** Where older letters and pages send whoever has a code to type. */
export const loader = () => redirect(contactsPath("email"), 301);

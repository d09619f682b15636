import { redirect } from "react-router";
import { contactsPath } from "#app/domain/identity/contacts/rules/contacts.ts";

/** Where the one e-mail of an account was changed, before it could have several. */
export const loader = () => redirect(contactsPath("email"), 301);

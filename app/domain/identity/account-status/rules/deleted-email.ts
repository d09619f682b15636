/** Replaces a deleted person's e-mail: unique, in a domain that no mail can reach (RFC 2606). */
export const deletedPersonEmail = (personId: string): string => `${personId}@excluida.invalid`;

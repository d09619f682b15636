/**
 * In the place of a deleted person's e-mail: unique, and of a domain that no mail can reach (RFC
 * 2606).
 */
export const deletedPersonEmail = (personId: string): string => `${personId}@excluida.invalid`;

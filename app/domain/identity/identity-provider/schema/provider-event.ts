/**
 * What a hosted provider tells of one of its users. `version` is the provider's own time of it,
 * epoch milliseconds.
 */
export type IdentityProviderEvent =
  | {
      kind: "changed";
      providerUserId: string;
      version: number;
      email: string | null;
      isBanned: boolean;
    }
  | { kind: "deleted"; providerUserId: string };

/**
 * A hosted provider's event of one of its users. `version` is the provider's time of the event,
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

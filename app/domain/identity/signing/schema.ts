/**
 * Proves that the product made a URL: nobody can without its secret. `purpose` is signed too, and
 * separates the uses of one secret. A signature is 43 characters of base64url (256 bits).
 */
export type Signer = {
  sign(purpose: string, text: string): Promise<string>;
  isGenuine(purpose: string, text: string, signature: string): Promise<boolean>;
  /**
   * The SHA-256 of a secret in hex digits, to store and find it. It does not use the product's
   * secret.
   */
  digest(text: string): Promise<string>;
};

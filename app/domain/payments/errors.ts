/** The provider answered no, for good: same request, same answer. `code` is the provider's. */
export class ProviderRefused extends Error {
  override readonly name = "ProviderRefused";
  readonly code: string;

  constructor(code: string) {
    super(`provider refused: ${code}`);
    this.code = code;
  }
}

/** No answer, or one that does not say what happened: the effect may exist. Ask later; never repeat under a new key. */
export class ProviderUnclear extends Error {
  override readonly name = "ProviderUnclear";
}

/** A delivery that is not the provider's, or is too old. */
export class WebhookRefused extends Error {
  override readonly name = "WebhookRefused";
}

import type { ZodError } from "zod";

/** A refused request: an HTTP status and an error code for the client. */
export class PspRefusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.name = "PspRefusal";
    this.status = status;
    this.code = code;
  }
}

export const notFound = (what: string) =>
  new PspRefusal(404, `${what}_not_found`, `No such ${what}.`);

/** The refusal of an invalid body: names the field. */
export function invalid(error: ZodError): PspRefusal {
  const [issue] = error.issues;
  return new PspRefusal(
    400,
    "parameter_invalid",
    `${issue?.path.join(".") || "body"}: ${issue?.message ?? "invalid"}`,
  );
}

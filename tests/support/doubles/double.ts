/** One received HTTP request. */
export type Received = {
  method: string;
  /** Path and query. */
  path: string;
  headers: Record<string, string>;
  body: string;
};

export type Answer = { status: number; body: unknown; headers?: Record<string, string> };

/** One account at a provider. `act` plays the payers and banks. */
export type Double = {
  answer(request: Received): Answer;
  act(name: string, input: Record<string, string>): unknown;
};

/** A refusal with a response body in the provider's format. */
export class Refuses extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super(JSON.stringify(answer.body));
    this.answer = answer;
  }
}

let counter = 0;

/** An unguessable id with a prefix, as providers create them. */
export function newId(prefix: string): string {
  counter += 1;
  return `${prefix}${counter.toString(36).padStart(6, "0")}${Math.random().toString(36).slice(2, 12)}`;
}

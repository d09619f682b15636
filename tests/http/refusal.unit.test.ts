import { UNSAFE_ErrorResponseImpl as ErrorResponse } from "react-router";
import { expect, test } from "vitest";
import { StaleWrite } from "#app/db/errors.ts";
import { Refusal } from "#app/domain/errors.ts";
import { isFault } from "#app/http/refusal.ts";

test.each<[string, unknown]>([
  ["a refusal", new Refusal("conflict", "Já mudou.")],
  ["a stale write", new StaleWrite()],
  ["an unknown address", new ErrorResponse(404, "Not Found", "")],
  ["a method that the page does not support", new ErrorResponse(405, "Method Not Allowed", "")],
])("%s is no fault, so that many of them do not flood the error log", (_what, error) =>
  expect(isFault(error)).toBe(false),
);

test.each<[string, unknown]>([
  ["an unexpected error", new TypeError("Invalid header value.")],
  ["a response of the server", new ErrorResponse(500, "Internal Server Error", "")],
  ["a thrown value that is no error", "x"],
])("%s is a fault", (_what, error) => expect(isFault(error)).toBe(true));

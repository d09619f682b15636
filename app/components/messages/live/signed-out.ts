const UNAUTHENTICATED = 401;

/** Whether a script's request was answered by the sign-in: the session ended, or is of another. */
export const isSignedOut = ({ status, redirected }: Pick<Response, "status" | "redirected">) =>
  redirected || status === UNAUTHENTICATED;

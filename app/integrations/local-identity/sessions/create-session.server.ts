import { APIError, createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";

/**
 * Creates a session for a user authenticated in another way. It has no HTTP route: only the server
 * calls it.
 */
export const createSessionPlugin = () => ({
  id: "enter-as" as const,
  endpoints: {
    enterAs: createAuthEndpoint.serverOnly(
      { method: "POST", body: z.object({ userId: z.string() }) },
      async (call) => {
        const { internalAdapter } = call.context;
        const user = await internalAdapter.findUserById(call.body.userId);
        if (!user) throw new APIError("UNAUTHORIZED");
        const session = await internalAdapter.createSession(user.id, false);
        await setSessionCookie(call, { session, user });
        return call.json({ userId: user.id });
      },
    ),
  },
});

import { applyProviderEvent } from "#app/domain/identity/identity-provider/commands/provider-event.server.ts";
import { identityContract } from "#tests/contracts/identity-port.ts";
import { testClock } from "#tests/support/clock.ts";
import { testContext } from "#tests/support/context.ts";
import { signUpFields } from "#tests/support/call-route.ts";
import { fakeClerk } from "./clerk.ts";

const clerk = await fakeClerk();

identityContract("clerk", {
  env: clerk.env,
  newcomer: signUpFields,
  signUp: (person) => clerk.cookie(clerk.addUser(person)),
  signIn: (person) => clerk.cookie(clerk.idOf(person)),
  token: (person) => clerk.token(clerk.idOf(person)),
  async changeEmail(person, _, email) {
    const { ctx } = await testContext();
    await applyProviderEvent(ctx, {
      provider: "clerk",
      event: {
        kind: "changed",
        providerUserId: clerk.idOf(person),
        version: testClock.now(),
        email,
        isBanned: false,
      },
    });
  },
  clerk: { apiUrl: clerk.env.CLERK_API_URL ?? "", secretKey: clerk.env.CLERK_SECRET_KEY ?? "" },
  knows: async (person) => clerk.users.has(clerk.idOf(person)),
});

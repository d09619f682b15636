import { identityContract } from "#tests/contracts/identity-port.ts";
import { newcomer } from "#tests/support/door.ts";
import { fakeClerk } from "./clerk.ts";

const clerk = await fakeClerk();

identityContract("clerk", {
  env: clerk.env,
  newcomer,
  signUp: (person) => clerk.cookie(clerk.addUser(person)),
  signIn: (person) => clerk.cookie(clerk.idOf(person)),
  token: (person) => clerk.token(clerk.idOf(person)),
});

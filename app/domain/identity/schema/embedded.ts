import type {
  Contact,
  ContactActs,
  ContactKind,
} from "#app/domain/identity/contacts/rules/contacts.ts";
import type { TaxId } from "#app/domain/identity/tax-ids/rules.ts";
import type { Identified, Member } from "#app/domain/identity/schema.ts";
import type { AccountStatus, LinkOutcome } from "#app/domain/identity/account/schema.ts";
import type {
  Offer,
  ExternalAccount,
  ExternalSignInPurpose,
  WalletAnswer,
  SignInMethods,
} from "#app/domain/identity/external-accounts/schema.ts";
import type { Passkey, PasskeyAnswer } from "#app/domain/identity/sign-in/schema/passkeys.ts";
import type {
  RegistrationDetails,
  SignUp,
} from "#app/domain/identity/registration/schema/registration.ts";
import type { SecondFactor } from "#app/domain/identity/sign-in/schema/second-factor.ts";

/**
 * What the screens of the embedded identity ask of it, for the one request that it was made for. A
 * hosted provider has screens of its own, and nothing of this. Every method refuses with the errors
 * of this module; "who asks" is the person of the request's session.
 */
export type EmbeddedIdentity = {
  account: EmbeddedAccount;
  profile: EmbeddedProfile;
  contacts: EmbeddedContacts;
  registration: EmbeddedRegistration;
  passwordReset: EmbeddedPasswordReset;
  signInCode: EmbeddedSignInCode;
  secondFactor: EmbeddedSecondFactor;
  passkeys: EmbeddedPasskeys;
  outside: EmbeddedOutside;
};

/** Somewhere to leave what the answer must not wait for. */
export type Later = { waitUntil(work: Promise<unknown>): void };

type EmbeddedAccount = {
  /** How the account of who asks stands. */
  accountStanding(): Promise<AccountStatus>;
  /** "Confirme a sua senha": fresh for ten minutes. */
  confirmPassword(input: { currentPassword: string }): Promise<void>;
  /** "Trocar senha". The other sessions end, and the primary e-mail is told. */
  changeOwnPassword(input: { currentPassword: string; password: string }): Promise<void>;
  /** "Criar senha", of an account that came from outside. The address is told. */
  makeOwnPassword(input: { password: string }): Promise<void>;
  /** Ends one session of who asks. False when they have no such session. */
  endOneSession(input: { sessionId: string }): Promise<boolean>;
};

type EmbeddedProfile = {
  /**
   * First and last name of an account, divided for its owner to correct while they were never given
   * apart, and whether the public name follows them. Null where no account is behind the member.
   */
  ownNames(own: { member: Member }): Promise<{
    firstName: string;
    lastName: string;
    isPublicNameFollowing: boolean;
  } | null>;
  /**
   * Saves first and last name and, when one came, the picture, in one batch. False where no account
   * is behind the member. Refuses a picture that is none, beside its field.
   */
  saveOwnProfile(own: {
    member: Member;
    firstName: string;
    lastName: string;
    avatar?: File | undefined;
  }): Promise<boolean>;
  /** Takes the picture away. Safe to repeat. */
  removeOwnPicture(own: { member: Member }): Promise<void>;
  /** Another username, for the page and for signing in; the primary e-mail is told. */
  changeOwnUsername(own: { member: Member; username: string }): Promise<void>;
};

/** A contact as its pages show it: `shown` is the address, or the number as people write it. */
export type ContactView = Contact & { shown: string; acts: ContactActs };

type OneContact = { kind: ContactKind; contactId: string };

type EmbeddedContacts = {
  /** The e-mails or phones of who asks, the primary first. */
  ownContacts(of: { kind: ContactKind }): Promise<ContactView[]>;
  /** One of them, and whether a code that was sent there may still be typed. */
  ownContact(one: OneContact): Promise<ContactView & { hasLiveCode: boolean }>;
  /** "Adicionar": keeps what was typed and sends a code there. */
  addOwnContact(added: {
    kind: ContactKind;
    address: string;
  }): Promise<{ contactId: string; shown: string; cookie: string }>;
  /** Sends a code, and to an e-mail a link, in place of any earlier one. */
  sendContactCode(one: OneContact): Promise<{ shown: string; cookie: string }>;
  /** The code typed for a contact. */
  verifyContactByCode(typed: OneContact & { code: string }): Promise<{ shown: string }>;
  /** What the link of a mail leads to in this browser; with `accept` it is used. */
  verifyByLink(link: { token: string; accept: boolean }): Promise<LinkOutcome>;
  /** Makes a confirmed contact the primary one; the former e-mail is told. */
  makeContactPrimary(one: OneContact): Promise<{ shown: string }>;
  /** Takes a contact away, with every code that was sent there; the primary e-mail is told. */
  removeOwnContact(one: OneContact): Promise<{ shown: string }>;
};

/** A registration that waits in this browser, as its pages show it. */
type WaitingRegistration = {
  email: string | null;
  isEmailProven: boolean;
  name: string | null;
  username: string | null;
  /** An ISO date. */
  birthDate: string | null;
  termsVersion: string | null;
  /** The own path to go back to. */
  returnTo: string;
  /** The fields of the form that is paid there, as JSON; null where nothing is bought. */
  cart: string | null;
  /** The CPF of who pays, eleven digits. */
  taxId: string | null;
};

/** How a registration ended, or what it still needs. */
export type RegistrationEnd =
  | {
      kind: "member";
      personId: string;
      name: string;
      to: string;
      headers: Headers;
      /** What is paid at `to` now: the fields of its form. */
      cart: Record<string, string> | null;
    }
  | { kind: "email-taken" }
  | { kind: "username-taken" };

/** Who buys without an account. */
type Buyer = Omit<SignUp, "username" | "password"> & { taxId: TaxId };

type EmbeddedRegistration = {
  /** "Criar conta": keeps what was typed, sends a code, and gives the cookie of this browser. */
  signUp(later: Later, input: SignUp, then: { to: string }): Promise<Headers>;
  /** Buying without an account: `fields` are what is paid at `to` once the code comes back. */
  signUpToPay(
    later: Later,
    buyer: Buyer,
    then: { to: string; fields: Record<string, string> },
  ): Promise<Headers>;
  /** The registration that waits in this browser; null when there is none. */
  waitingRegistration(): Promise<WaitingRegistration | null>;
  /** The e-mail of that registration, when it is proven and has an account; else null. */
  provenAndTaken(
    waiting: Pick<WaitingRegistration, "email" | "isEmailProven"> | null,
  ): Promise<string | null>;
  /** Another code for the registration of this browser. */
  resendCode(later: Later): Promise<{ email: string }>;
  /** The code typed at `/auth/register/code`. */
  proveByCode(typed: { code: string }): Promise<RegistrationEnd>;
  /** What the link of the mail leads to in this browser; with `accept` it is used. */
  proveByLink(link: {
    token: string;
    accept: boolean;
  }): Promise<{ outcome: LinkOutcome; end: RegistrationEnd | null }>;
  /** "Complete o seu perfil" of a registration that waits; `code` where one goes out first. */
  completeRegistration(
    later: Later,
    details: RegistrationDetails & { email?: string },
  ): Promise<RegistrationEnd | { kind: "code" }>;
};

type EmbeddedPasswordReset = {
  /** "Esqueci minha senha": the same answer for every identifier. */
  requestReset(later: Later, asked: { identifier: string }): Promise<{ cookie: string }>;
  /** What this browser typed last to ask for a new password, or null. */
  resetWaiting(): Promise<string | null>;
  /** Sets the new password with the code that the mail brought to this browser's owner. */
  resetByCode(typed: { code: string; password: string }): Promise<void>;
  /** What the link of the mail leads to in this browser, before a new password is typed. */
  resetLinkOutcome(link: { token: string }): Promise<LinkOutcome>;
  /** Sets the new password with the link of the mail, which stands for its code. */
  resetByLink(link: { token: string; password: string }): Promise<void>;
};

type EmbeddedSignInCode = {
  /** "Entrar com um código": the same answer for every identifier. */
  requestSignInCode(later: Later, asked: { identifier: string }): Promise<{ cookie: string }>;
  /** What this browser typed last to enter by a code, or null. */
  signInCodeWaiting(): Promise<string | null>;
  /** Signs in with the code that went to the person who asked in this browser. */
  enterBySentCode(typed: { code: string }): Promise<Identified>;
};

type EmbeddedSecondFactor = {
  ownSecondFactor(): Promise<SecondFactor | null>;
  /** Turning it on starts with the password. */
  startEnrolment(input: { currentPassword: string }): Promise<void>;
  /** What an authenticator needs, while its first code is still owed; else null. */
  waitingEnrolment(): Promise<{ uri: string; key: string } | null>;
  /** Turns it on with the first code, and gives the backup codes. */
  confirmEnrolment(input: { code: string }): Promise<string[]>;
  renewBackupCodes(input: { currentPassword: string }): Promise<string[]>;
  removeSecondFactor(input: { currentPassword: string }): Promise<void>;
  /** Whether a ticket still stands for a password whose code is owed. */
  isTicketOpen(ticket: string): Promise<boolean>;
  /** The code after the password that `ticket` stands for. */
  enterWithCode(input: { ticket: string; code: string }): Promise<Identified>;
};

type EmbeddedPasskeys = {
  /** Newest first. */
  ownPasskeys(): Promise<Passkey[]>;
  /** What the browser needs to make a passkey, as WebAuthn has it. */
  registrationOptions(input: { currentPassword: string }): Promise<object>;
  keepPasskey(made: { name: string; response: PasskeyAnswer }): Promise<void>;
  /** What the browser needs to answer with one. */
  authenticationOptions(): Promise<object>;
  removePasskey(input: { passkeyId: string; currentPassword: string }): Promise<{ name: string }>;
  enterWithPasskey(answer: { response: PasskeyAnswer }): Promise<Identified>;
};

/** What came of an answer from elsewhere. */
export type Arrival =
  /** Somebody who has an account here: `enterFromOutside` opens it. */
  | { kind: "known"; userId: string; providerId: string; to: string }
  /** The proven e-mail has an account here, whose person must come in by their own door first. */
  | { kind: "taken"; email: string }
  /** A registration began; `headers` tie it to this browser. */
  | { kind: "registering"; headers: Headers }
  /** One more way into the account of who asks. */
  | { kind: "connected"; providerId: string }
  /** It is still them. */
  | { kind: "confirmed"; to: string };

/** What must be done before one more way in is asked for: a fresh sign-in. */
type Confirm = () => Promise<void>;

type EmbeddedOutside = {
  /** Where to send the browser, and the cookie that ties the answer to it. */
  leaveFor(
    trip: { id: string; purpose: ExternalSignInPurpose; to: string },
    confirm: Confirm,
  ): Promise<{ address: string; cookie: string }>;
  /** The provider's answer. Refuses whatever is not the one that this browser waits for. */
  comeBack(back: { id: string; answer: URLSearchParams }): Promise<Arrival>;
  /** What this browser's wallet is asked to sign, and the cookie that ties the answer to it. */
  walletChallenge(
    asked: { address: string; purpose: ExternalSignInPurpose },
    confirm: Confirm,
  ): Promise<{ message: string; cookie: string }>;
  /** A signed message (EIP-4361). Its nonce is spent whatever the signature says. */
  walletAnswered(answer: WalletAnswer, then: { to: string }): Promise<Arrival>;
  /** Another account stands for the password. Asks for the second factor where one is on. */
  enterFromOutside(known: { userId: string }): Promise<Identified>;
  /** How who asks can sign in, and what waits in this browser to be one more way. */
  ownWaysIn(): Promise<SignInMethods & { offer: Offer | null }>;
  /** "Sim, ligar": what waited in this browser opens the account of who asks. */
  acceptOffer(): Promise<{ providerId: string }>;
  /** "Agora não". */
  declineOffer(): Promise<void>;
  /** One of the outside accounts of who asks. Refuses anybody else's. */
  ownOutsideAccount(one: { id: string }): Promise<ExternalAccount>;
  /** "Desligar". Refuses the last way in; the primary e-mail is told. */
  disconnect(one: { id: string }): Promise<{ providerId: string }>;
};

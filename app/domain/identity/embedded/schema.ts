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
 * What the screens of the embedded identity call, made for one request. A hosted provider has
 * screens of its own and implements none of this. Every method refuses with the errors of this
 * module. The current member is the person of the request's session.
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

/** Accepts work that the response must not wait for. */
export type Later = { waitUntil(work: Promise<unknown>): void };

type EmbeddedAccount = {
  /** The account status of the current member. */
  accountStatus(): Promise<AccountStatus>;
  /** "Confirme a sua senha": authenticates again, valid for ten minutes. */
  confirmPassword(input: { currentPassword: string }): Promise<void>;
  /** Emails a code to the current member, whose account has no password. Returns the cookie. */
  requestOwnCode(later: Later): Promise<{ cookie: string }>;
  /** The code of `requestOwnCode`: authenticates again, valid for ten minutes. */
  confirmByOwnCode(typed: { code: string }): Promise<void>;
  /** "Trocar senha". Ends the other sessions and emails the primary address. */
  changeOwnPassword(input: { currentPassword: string; password: string }): Promise<void>;
  /** "Criar senha", for an account made by an external sign-in. Emails the address. */
  makeOwnPassword(input: { password: string }): Promise<void>;
  /** Ends one session of the current member. Returns false when they have no such session. */
  endOneSession(input: { sessionId: string }): Promise<boolean>;
};

type EmbeddedProfile = {
  /**
   * Reads first and last name of an account, and whether the public name follows them. Splits a
   * single name, for its owner to correct. Null where the member has no account here.
   */
  ownNames(own: { member: Member }): Promise<{
    firstName: string;
    lastName: string;
    isPublicNameFollowing: boolean;
  } | null>;
  /**
   * Saves first and last name and, when given, the picture, in one batch. Returns false where the
   * member has no account here. Refuses an invalid picture, beside its field.
   */
  saveOwnProfile(own: {
    member: Member;
    firstName: string;
    lastName: string;
    avatar?: File | undefined;
  }): Promise<boolean>;
  /** Removes the picture. Safe to repeat. */
  removeOwnPicture(own: { member: Member }): Promise<void>;
  /** Changes the username, for the page and for signing in. Emails the primary address. */
  changeOwnUsername(own: { member: Member; username: string }): Promise<void>;
};

/** A contact as its pages show it. `shown` is the address, or the phone in its usual format. */
export type ContactView = Contact & { shown: string; acts: ContactActs };

type OneContact = { kind: ContactKind; contactId: string };

type EmbeddedContacts = {
  /** Returns the e-mails or phones of the current member, the primary first. */
  ownContacts(of: { kind: ContactKind }): Promise<ContactView[]>;
  /** Reads one contact, and whether a code sent to it is still valid. */
  ownContact(one: OneContact): Promise<ContactView & { hasLiveCode: boolean }>;
  /** "Adicionar": saves the contact and sends it a code. */
  addOwnContact(added: {
    kind: ContactKind;
    address: string;
  }): Promise<{ contactId: string; shown: string; cookie: string }>;
  /** Sends a code, and to an e-mail also a link. Replaces any earlier one. */
  sendContactCode(one: OneContact): Promise<{ shown: string; cookie: string }>;
  /** Verifies a contact by the typed code. */
  verifyContactByCode(typed: OneContact & { code: string }): Promise<{ shown: string }>;
  /** Returns the outcome of an email's link in this browser. With `accept` the link is used. */
  verifyByLink(link: { token: string; accept: boolean }): Promise<LinkOutcome>;
  /** Makes a verified contact the primary one. Emails the former primary address. */
  makeContactPrimary(one: OneContact): Promise<{ shown: string }>;
  /** Removes a contact and every code sent to it. Emails the primary address. */
  removeOwnContact(one: OneContact): Promise<{ shown: string }>;
};

/** An open registration of this browser, as its pages show it. */
type WaitingRegistration = {
  email: string | null;
  isEmailProven: boolean;
  name: string | null;
  username: string | null;
  /** An ISO date. */
  birthDate: string | null;
  termsVersion: string | null;
  /** The internal path to return to. */
  returnTo: string;
  /** The fields of the payment form, as JSON; null where nothing is bought. */
  cart: string | null;
  /** The payer's CPF, eleven digits. */
  taxId: string | null;
};

/** The result of a registration, or what it still needs. */
export type RegistrationEnd =
  | {
      kind: "member";
      personId: string;
      name: string;
      to: string;
      headers: Headers;
      /** The fields of the form that is paid at `to` now. */
      cart: Record<string, string> | null;
    }
  | { kind: "email-taken" }
  | { kind: "username-taken" };

/** A buyer without an account. */
type Buyer = Omit<SignUp, "username" | "password"> & { taxId: TaxId };

type EmbeddedRegistration = {
  /** "Criar conta": saves the form, sends a code, and returns the cookie of this browser. */
  signUp(later: Later, input: SignUp, then: { to: string }): Promise<Headers>;
  /**
   * Registers a buyer without an account. `fields` are the form that is paid at `to` once the code
   * is typed.
   */
  signUpToPay(
    later: Later,
    buyer: Buyer,
    then: { to: string; fields: Record<string, string> },
  ): Promise<Headers>;
  /** Reads the open registration of this browser; null when there is none. */
  waitingRegistration(): Promise<WaitingRegistration | null>;
  /** Returns the registration's e-mail when it is verified and already has an account; else null. */
  provenAndTaken(
    waiting: Pick<WaitingRegistration, "email" | "isEmailProven"> | null,
  ): Promise<string | null>;
  /** Sends another code for the registration of this browser. */
  resendCode(later: Later): Promise<{ email: string }>;
  /** Verifies the code typed at `/auth/register/code`. */
  proveByCode(typed: { code: string }): Promise<RegistrationEnd>;
  /** Returns the outcome of the email's link in this browser. With `accept` the link is used. */
  proveByLink(link: {
    token: string;
    accept: boolean;
  }): Promise<{ outcome: LinkOutcome; end: RegistrationEnd | null }>;
  /**
   * "Complete o seu perfil" of an open registration. Returns `code` where a code must be typed
   * first.
   */
  completeRegistration(
    later: Later,
    details: RegistrationDetails & { email?: string },
  ): Promise<RegistrationEnd | { kind: "code" }>;
};

type EmbeddedPasswordReset = {
  /** "Esqueci minha senha": the same answer for every identifier. */
  requestReset(later: Later, asked: { identifier: string }): Promise<{ cookie: string }>;
  /** Returns the identifier of this browser's last password reset request, or null. */
  resetWaiting(): Promise<string | null>;
  /** Sets the new password with the emailed code, in the browser that requested it. */
  resetByCode(typed: { code: string; password: string }): Promise<void>;
  /** Returns the outcome of the email's link in this browser, before a new password is typed. */
  resetLinkOutcome(link: { token: string }): Promise<LinkOutcome>;
  /** Sets the new password with the email's link, which replaces the code. */
  resetByLink(link: { token: string; password: string }): Promise<void>;
};

type EmbeddedSignInCode = {
  /** "Entrar com um código": the same answer for every identifier. */
  requestSignInCode(later: Later, asked: { identifier: string }): Promise<{ cookie: string }>;
  /** Returns the identifier of this browser's last sign-in code request, or null. */
  signInCodeWaiting(): Promise<string | null>;
  /** Signs in with the emailed code, in the browser that requested it. */
  enterBySentCode(typed: { code: string }): Promise<Identified>;
};

/** What a change of the sign-in asks for: the password, which some accounts do not have. */
type TypedProof = { currentPassword?: string | undefined };

type EmbeddedSecondFactor = {
  ownSecondFactor(): Promise<SecondFactor | null>;
  /** Starts turning the second factor on. */
  startEnrolment(input: TypedProof): Promise<void>;
  /** Returns what an authenticator needs until its first code is typed; else null. */
  waitingEnrolment(): Promise<{ uri: string; key: string } | null>;
  /** Turns it on with the first code, and returns the backup codes. */
  confirmEnrolment(input: { code: string }): Promise<string[]>;
  renewBackupCodes(input: TypedProof): Promise<string[]>;
  removeSecondFactor(input: TypedProof): Promise<void>;
  /** Whether a ticket is still valid: the password was right and the code is missing. */
  isTicketOpen(ticket: string): Promise<boolean>;
  /** Signs in with the code that follows the password of `ticket`. */
  enterWithCode(input: { ticket: string; code: string }): Promise<Identified>;
};

type EmbeddedPasskeys = {
  /** Newest first. */
  ownPasskeys(): Promise<Passkey[]>;
  /** Returns the WebAuthn options with which a browser creates a passkey. */
  registrationOptions(input: TypedProof): Promise<object>;
  keepPasskey(made: { name: string; response: PasskeyAnswer }): Promise<void>;
  /** Returns the WebAuthn options with which a browser signs in by passkey. */
  authenticationOptions(): Promise<object>;
  removePasskey(input: TypedProof & { passkeyId: string }): Promise<{ name: string }>;
  enterWithPasskey(answer: { response: PasskeyAnswer }): Promise<Identified>;
};

/** The result of an external sign-in. */
export type Arrival =
  /** The person has an account here: `enterFromOutside` opens it. */
  | { kind: "known"; userId: string; providerId: string; to: string }
  /** The verified e-mail has an account here. Its person must sign in by an existing method first. */
  | { kind: "taken"; email: string }
  /** A registration started. `headers` tie it to this browser. */
  | { kind: "registering"; headers: Headers }
  /** The current member has one more sign-in method. */
  | { kind: "connected"; providerId: string }
  /** The current member authenticated again. */
  | { kind: "confirmed"; to: string };

/** Requires a recent authentication before one more sign-in method is added. */
type Confirm = () => Promise<void>;

type EmbeddedOutside = {
  /** Returns the URL for the browser, and the cookie that ties the answer to it. */
  leaveFor(
    trip: { id: string; purpose: ExternalSignInPurpose; to: string },
    confirm: Confirm,
  ): Promise<{ address: string; cookie: string }>;
  /** Handles the provider's answer. Refuses an answer that this browser does not wait for. */
  comeBack(back: { id: string; answer: URLSearchParams }): Promise<Arrival>;
  /**
   * Returns the message for the wallet to sign, and the cookie that ties the answer to this
   * browser.
   */
  walletChallenge(
    asked: { address: string; purpose: ExternalSignInPurpose },
    confirm: Confirm,
  ): Promise<{ message: string; cookie: string }>;
  /** Handles a signed message (EIP-4361). Its nonce is used up even by a wrong signature. */
  walletAnswered(answer: WalletAnswer, then: { to: string }): Promise<Arrival>;
  /**
   * Signs in by an external account, which replaces the password. Requires the second factor if it
   * is on.
   */
  enterFromOutside(account: { userId: string }): Promise<Identified>;
  /**
   * Returns the current member's sign-in methods, and the external account that waits in this
   * browser.
   */
  ownWaysIn(): Promise<SignInMethods & { offer: Offer | null }>;
  /** "Sim, ligar": connects the waiting external account to the current member's account. */
  acceptOffer(): Promise<{ providerId: string }>;
  /** "Agora não". */
  declineOffer(): Promise<void>;
  /** Reads an external account of the current member. Refuses anybody else's. */
  ownOutsideAccount(one: { id: string }): Promise<ExternalAccount>;
  /** "Desligar". Refuses the last sign-in method. Emails the primary address. */
  disconnect(one: { id: string }): Promise<{ providerId: string }>;
};

import type { EmbeddedIdentity } from "#app/domain/identity/embedded/schema.ts";
import type { LocalAsked } from "./screens/asked.server.ts";

/**
 * The embedded identity of one request, for its screens. Each part is loaded when first called:
 * pages that only read a session load none of it.
 */
export function embeddedIdentity(asked: LocalAsked): EmbeddedIdentity {
  return {
    account: accountScreens(asked),
    profile: profileScreens(asked),
    contacts: contactsScreens(asked),
    registration: registrationScreens(asked),
    passwordReset: passwordResetScreens(asked),
    signInCode: signInCodeScreens(asked),
    secondFactor: secondFactorScreens(asked),
    passkeys: passkeysScreens(asked),
    outside: outsideScreens(asked),
  };
}

function accountScreens(asked: LocalAsked): EmbeddedIdentity["account"] {
  const load = () => import("./screens/account.server.ts");
  const loadCode = () => import("./screens/own-code.server.ts");
  return {
    accountStatus: async (...given) => (await load()).accountStatus(asked, ...given),
    confirmPassword: async (...given) => (await load()).confirmPassword(asked, ...given),
    requestOwnCode: async ({ waitUntil }) =>
      (await loadCode()).requestOwnCode({ ...asked, waitUntil }),
    confirmByOwnCode: async (...given) => (await loadCode()).confirmByOwnCode(asked, ...given),
    changeOwnPassword: async (...given) => (await load()).changeOwnPassword(asked, ...given),
    makeOwnPassword: async (...given) => (await load()).makeOwnPassword(asked, ...given),
    endOneSession: async (...given) => (await load()).endOneSession(asked, ...given),
  };
}

function profileScreens(asked: LocalAsked): EmbeddedIdentity["profile"] {
  const load = () => import("./screens/own-profile.server.ts");
  return {
    ownNames: async (...given) => (await load()).memberNames(asked, ...given),
    saveOwnProfile: async (...given) => (await load()).saveMemberProfile(asked, ...given),
    removeOwnPicture: async (...given) => (await load()).removeMemberPicture(asked, ...given),
    changeOwnUsername: async (...given) => (await load()).changeMemberUsername(asked, ...given),
  };
}

function contactsScreens(asked: LocalAsked): EmbeddedIdentity["contacts"] {
  const load = () => import("./screens/contacts.server.ts");
  return {
    ownContacts: async (...given) => (await load()).memberContacts(asked, ...given),
    ownContact: async (...given) => (await load()).memberContact(asked, ...given),
    addOwnContact: async (...given) => (await load()).addMemberContact(asked, ...given),
    sendContactCode: async (...given) => (await load()).sendContactCode(asked, ...given),
    verifyContactByCode: async (...given) => (await load()).verifyContactByCode(asked, ...given),
    verifyByLink: async (...given) => (await load()).verifyContactByLink(asked, ...given),
    makeContactPrimary: async (...given) => (await load()).makeContactPrimary(asked, ...given),
    removeOwnContact: async (...given) => (await load()).removeMemberContact(asked, ...given),
  };
}

function registrationScreens(asked: LocalAsked): EmbeddedIdentity["registration"] {
  const load = () => import("./screens/registration.server.ts");
  return {
    signUp: async ({ waitUntil }, ...given) =>
      (await load()).signUp({ ...asked, waitUntil }, ...given),
    signUpToPay: async ({ waitUntil }, ...given) =>
      (await load()).registerGuest({ ...asked, waitUntil }, ...given),
    waitingRegistration: async (...given) => (await load()).currentRegistration(asked, ...given),
    provenAndTaken: async (...given) => (await load()).pendingEmailConflict(asked, ...given),
    resendCode: async ({ waitUntil }, ...given) =>
      (await load()).resendCode({ ...asked, waitUntil }, ...given),
    proveByCode: async (...given) => (await load()).verifyRegistrationByCode(asked, ...given),
    proveByLink: async (...given) => (await load()).verifyRegistrationByLink(asked, ...given),
    completeRegistration: async ({ waitUntil }, ...given) =>
      (await load()).completeRegistration({ ...asked, waitUntil }, ...given),
  };
}

function passwordResetScreens(asked: LocalAsked): EmbeddedIdentity["passwordReset"] {
  const load = () => import("./screens/password-reset.server.ts");
  return {
    requestReset: async ({ waitUntil }, ...given) =>
      (await load()).requestPasswordReset({ ...asked, waitUntil }, ...given),
    resetWaiting: async (...given) => (await load()).pendingPasswordReset(asked, ...given),
    resetByCode: async (...given) => (await load()).resetPasswordByCode(asked, ...given),
    resetLinkOutcome: async (...given) => (await load()).passwordResetLinkOutcome(asked, ...given),
    resetByLink: async (...given) => (await load()).resetPasswordByLink(asked, ...given),
  };
}

function signInCodeScreens(asked: LocalAsked): EmbeddedIdentity["signInCode"] {
  const load = () => import("./screens/sign-in-code.server.ts");
  return {
    requestSignInCode: async ({ waitUntil }, ...given) =>
      (await load()).requestSignInCode({ ...asked, waitUntil }, ...given),
    signInCodeWaiting: async (...given) => (await load()).signInCodeWaiting(asked, ...given),
    enterBySentCode: async (...given) => (await load()).enterBySentCode(asked, ...given),
  };
}

function secondFactorScreens(asked: LocalAsked): EmbeddedIdentity["secondFactor"] {
  const load = () => import("./screens/second-factor.server.ts");
  return {
    ownSecondFactor: async (...given) => (await load()).ownSecondFactor(asked, ...given),
    startEnrolment: async (...given) => (await load()).startEnrolment(asked, ...given),
    waitingEnrolment: async (...given) => (await load()).waitingEnrolment(asked, ...given),
    confirmEnrolment: async (...given) => (await load()).confirmEnrolment(asked, ...given),
    renewBackupCodes: async (...given) => (await load()).renewBackupCodes(asked, ...given),
    removeSecondFactor: async (...given) => (await load()).removeSecondFactor(asked, ...given),
    isTicketOpen: async (...given) => (await load()).isTicketOpen(asked, ...given),
    enterWithCode: async (...given) => (await load()).enterWithCode(asked, ...given),
  };
}

function passkeysScreens(asked: LocalAsked): EmbeddedIdentity["passkeys"] {
  const load = () => import("./screens/passkeys.server.ts");
  return {
    ownPasskeys: async (...given) => (await load()).ownPasskeys(asked, ...given),
    registrationOptions: async (...given) => (await load()).registrationOptions(asked, ...given),
    keepPasskey: async (...given) => (await load()).keepPasskey(asked, ...given),
    authenticationOptions: async (...given) =>
      (await load()).authenticationOptions(asked, ...given),
    removePasskey: async (...given) => (await load()).removePasskey(asked, ...given),
    enterWithPasskey: async (...given) => (await load()).enterWithPasskey(asked, ...given),
  };
}

function outsideScreens(asked: LocalAsked): EmbeddedIdentity["outside"] {
  const load = () => import("./screens/outside.server.ts");
  const loadWallets = () => import("./screens/wallets.server.ts");
  return {
    leaveFor: async (...given) => (await load()).leaveFor(asked, ...given),
    comeBack: async (...given) => (await load()).comeBack(asked, ...given),
    walletChallenge: async (...given) => (await loadWallets()).walletChallenge(asked, ...given),
    walletAnswered: async (...given) => (await loadWallets()).walletAnswered(asked, ...given),
    enterFromOutside: async (...given) => (await load()).enterFromOutside(asked, ...given),
    ownWaysIn: async (...given) => (await load()).ownWaysIn(asked, ...given),
    acceptOffer: async (...given) => (await load()).acceptOffer(asked, ...given),
    declineOffer: async (...given) => (await load()).declineOffer(asked, ...given),
    ownOutsideAccount: async (...given) => (await load()).ownOutsideAccount(asked, ...given),
    disconnect: async (...given) => (await load()).disconnect(asked, ...given),
  };
}

import type {
  AttributeDataJSON,
  ClerkAPIErrorJSON,
  ClientJSON,
  EmailAddressJSON,
  EnvironmentJSON,
  SessionJSON,
  SignInJSON,
  SignUpJSON,
  UserJSON,
  VerificationJSON,
} from "@clerk/shared/types";
import { testClock } from "#tests/support/clock.ts";

/** A user of the fake Clerk. */
export type ClerkPerson = {
  id: string;
  email: string;
  username: string;
  firstName: string;
  lastName: string;
  password: string;
  imageUrl?: string;
};

const at = (): number => testClock.now();

function attribute(changes: Partial<AttributeDataJSON>): AttributeDataJSON {
  return {
    enabled: false,
    required: false,
    verifications: [],
    used_for_first_factor: false,
    first_factors: [],
    used_for_second_factor: false,
    second_factors: [],
    verify_at_sign_up: false,
    ...changes,
  };
}

const off = attribute({});

/** Parts without `id` and `object` in the response. */
type Unnamed<Part> = Omit<Part, "id" | "object">;
type UnnamedParts =
  | "organization_settings"
  | "api_keys_settings"
  | "commerce_settings"
  | "user_settings";
type FakeEnvironment = Omit<EnvironmentJSON, UnnamedParts> & {
  [Name in Exclude<UnnamedParts, "user_settings">]: Unnamed<EnvironmentJSON[Name]>;
} & {
  /** The response lists only the enabled providers, though the type lists all. */
  user_settings: Unnamed<Omit<EnvironmentJSON["user_settings"], "social">> & {
    social: Partial<EnvironmentJSON["user_settings"]["social"]>;
  };
};

/**
 * A Clerk instance configured as for this product: e-mail and username, password or e-mailed code,
 * one session at a time.
 */
export function environmentJson(appOrigin: string): FakeEnvironment {
  const url = (path: string) => appOrigin + path;
  return {
    object: "environment",
    id: "env_test",
    maintenance_mode: false,
    auth_config: {
      object: "auth_config",
      id: "aconf_test",
      single_session_mode: true,
      claimed_at: null,
      reverification: false,
    },
    display_config: {
      object: "display_config",
      id: "display_config_test",
      after_sign_in_url: url("/"),
      after_sign_out_all_url: url("/auth/login"),
      after_sign_out_one_url: url("/auth/login"),
      after_sign_up_url: url("/"),
      after_switch_session_url: url("/"),
      application_name: "Coreto",
      branded: false,
      captcha_public_key: null,
      captcha_widget_type: null,
      captcha_public_key_invisible: null,
      captcha_provider: "turnstile",
      captcha_oauth_bypass: null,
      home_url: url("/"),
      instance_environment_type: "production",
      logo_image_url: "",
      favicon_image_url: "",
      preferred_sign_in_strategy: "password",
      sign_in_url: url("/auth/login"),
      sign_up_url: url("/auth/register"),
      support_email: "",
      theme: {
        general: {
          color: "#2fd873",
          background_color: "#ffffff",
          font_family: "",
          font_color: "#15170f",
          label_font_weight: "500",
          padding: "1em",
          border_radius: "0.5em",
          box_shadow: "",
        },
        buttons: { font_color: "#15170f", font_family: "", font_weight: "500" },
        accounts: { background_color: "#ffffff" },
      },
      user_profile_url: url("/auth/account"),
      organization_profile_url: url("/teams"),
      create_organization_url: url("/teams/create"),
      after_leave_organization_url: url("/"),
      after_create_organization_url: url("/"),
      show_devmode_warning: false,
      terms_url: "",
      privacy_policy_url: "",
      waitlist_url: "",
      after_join_waitlist_url: "",
    },
    user_settings: {
      attributes: {
        email_address: attribute({
          enabled: true,
          required: true,
          verifications: ["email_code"],
          used_for_first_factor: true,
          first_factors: ["email_code"],
          verify_at_sign_up: true,
        }),
        phone_number: off,
        username: attribute({ enabled: true, required: true, used_for_first_factor: true }),
        first_name: attribute({ enabled: true }),
        last_name: attribute({ enabled: true }),
        password: attribute({ enabled: true, required: true }),
        web3_wallet: off,
        authenticator_app: off,
        backup_code: off,
        passkey: off,
      },
      actions: { delete_self: true, create_organization: true },
      social: {},
      enterprise_sso: { enabled: false, self_serve_sso: false, self_serve_directory_sync: false },
      sign_in: { second_factor: { required: false, enabled: false } },
      sign_up: {
        allowlist_only: false,
        progressive: true,
        captcha_enabled: false,
        mode: "public",
        legal_consent_enabled: false,
      },
      password_settings: {
        allowed_special_characters: "",
        disable_hibp: false,
        min_length: 8,
        max_length: 72,
        require_special_char: false,
        require_numbers: false,
        require_uppercase: false,
        require_lowercase: false,
        show_zxcvbn: false,
        min_zxcvbn_strength: 0,
      },
      passkey_settings: { allow_autofill: false, show_sign_in_button: false },
      username_settings: { min_length: 3, max_length: 256 },
    },
    organization_settings: {
      enabled: true,
      max_allowed_memberships: 5,
      force_organization_selection: false,
      actions: { admin_delete: true },
      domains: { enabled: false, enrollment_modes: [], default_role: null },
      slug: { disabled: false },
      organization_creation_defaults: { enabled: false },
    },
    commerce_settings: {
      billing: {
        stripe_publishable_key: null,
        organization: { enabled: false, has_paid_plans: false },
        user: { enabled: false, has_paid_plans: false },
      },
    },
    api_keys_settings: { user_api_keys_enabled: false, orgs_api_keys_enabled: false },
    protect_config: { object: "protect_config", id: "protect_test", loaders: [] },
  };
}

const NO_ERROR: ClerkAPIErrorJSON = { code: "", message: "" };

export function verificationJson(
  strategy: string,
  status: VerificationJSON["status"],
  error: ClerkAPIErrorJSON = NO_ERROR,
): VerificationJSON {
  return {
    object: "verification",
    id: `ver_${strategy}`,
    status,
    strategy,
    verified_at_client: "",
    attempts: 0,
    expire_at: at() + 600_000,
    error,
  };
}

function emailJson({ id, email }: ClerkPerson): EmailAddressJSON {
  return {
    object: "email_address",
    id: `idn_${id}`,
    email_address: email,
    verification: verificationJson("email_code", "verified"),
    linked_to: [],
    matches_sso_connection: false,
  };
}

export function userJson(person: ClerkPerson): UserJSON {
  return {
    object: "user",
    id: person.id,
    external_id: null,
    primary_email_address_id: `idn_${person.id}`,
    primary_phone_number_id: null,
    primary_web3_wallet_id: null,
    image_url: person.imageUrl ?? "https://img.clerk.com/nobody",
    has_image: false,
    username: person.username,
    email_addresses: [emailJson(person)],
    phone_numbers: [],
    web3_wallets: [],
    external_accounts: [],
    enterprise_accounts: [],
    passkeys: [],
    organization_memberships: [],
    password_enabled: true,
    profile_image_id: "",
    first_name: person.firstName,
    last_name: person.lastName,
    totp_enabled: false,
    backup_code_enabled: false,
    two_factor_enabled: false,
    public_metadata: {},
    unsafe_metadata: {},
    last_sign_in_at: at(),
    create_organization_enabled: true,
    create_organizations_limit: null,
    delete_self_enabled: true,
    legal_accepted_at: null,
    created_at: at(),
    updated_at: at(),
  };
}

export function sessionJson(id: string, person: ClerkPerson, jwt: string): SessionJSON {
  return {
    object: "session",
    id,
    status: "active",
    factor_verification_age: [0, -1],
    expire_at: at() + 604_800_000,
    abandon_at: at() + 604_800_000,
    last_active_at: at(),
    last_active_token: { object: "token", id: "", jwt },
    last_active_organization_id: null,
    actor: null,
    tasks: null,
    user: userJson(person),
    public_user_data: {
      first_name: person.firstName,
      last_name: person.lastName,
      image_url: "",
      has_image: false,
      identifier: person.email,
      user_id: person.id,
    },
    created_at: at(),
    updated_at: at(),
  };
}

export function clientJson(
  id: string,
  parts: Pick<ClientJSON, "sessions" | "sign_in" | "sign_up">,
): ClientJSON {
  return {
    object: "client",
    id,
    ...parts,
    last_active_session_id: parts.sessions[0]?.id ?? null,
    last_authentication_strategy: null,
    cookie_expires_at: null,
    created_at: at(),
    updated_at: at(),
  };
}

export function signInJson(person: ClerkPerson | null, changes: Partial<SignInJSON>): SignInJSON {
  const email = person
    ? [
        {
          strategy: "email_code" as const,
          email_address_id: `idn_${person.id}`,
          safe_identifier: person.email,
          primary: true,
        },
      ]
    : [];
  return {
    object: "sign_in",
    id: "sia_test",
    status: "needs_first_factor",
    supported_identifiers: ["email_address", "username"],
    identifier: person?.email ?? "",
    user_data: {
      first_name: person?.firstName,
      last_name: person?.lastName,
      image_url: "",
      has_image: false,
    },
    supported_first_factors: [
      { strategy: "password" },
      ...email,
    ] as SignInJSON["supported_first_factors"],
    supported_second_factors: [],
    first_factor_verification: null,
    second_factor_verification: null,
    created_session_id: null,
    ...changes,
  };
}

export function signUpJson(person: ClerkPerson, changes: Partial<SignUpJSON>): SignUpJSON {
  const email = {
    ...verificationJson("email_code", "unverified"),
    next_action: "needs_attempt",
    supported_strategies: ["email_code"],
  };
  const none = { ...verificationJson("", "unverified"), next_action: "", supported_strategies: [] };
  return {
    object: "sign_up",
    id: "sua_test",
    status: "missing_requirements",
    required_fields: ["email_address", "username", "password"],
    optional_fields: ["first_name", "last_name"],
    missing_fields: [],
    unverified_fields: ["email_address"],
    username: person.username,
    first_name: person.firstName,
    last_name: person.lastName,
    email_address: person.email,
    phone_number: null,
    web3_wallet: null,
    external_account_strategy: null,
    external_account: null,
    has_password: true,
    unsafe_metadata: {},
    created_session_id: null,
    created_user_id: null,
    abandon_at: at() + 86_400_000,
    legal_accepted_at: null,
    locale: null,
    verifications: {
      email_address: email,
      phone_number: none,
      web3_wallet: none,
      external_account: verificationJson("", "unverified"),
    },
    ...changes,
  };
}

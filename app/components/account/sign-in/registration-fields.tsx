import { CheckboxField, TextField } from "#app/components/ui/fields/field.tsx";
import { MaskedField } from "#app/components/ui/fields/masked-field.tsx";
import { TERMS_VERSION } from "#app/domain/identity/registration/rules/terms.ts";
import { USERNAME_MAX } from "#app/domain/identity/rules/username-length.ts";
import { EMAIL_MAX, NAME_MAX } from "#app/domain/identity/schema.ts";

type Typed = {
  values: Record<string, string | undefined>;
  errors: Record<string, string | undefined>;
};

/** Name and username of the person. */
export function NameFields({ values, errors }: Typed) {
  return (
    <>
      <TextField
        label="Nome"
        name="name"
        autoComplete="name"
        required
        limit={NAME_MAX}
        defaultValue={values.name}
        error={errors.name}
      />
      <TextField
        label="Nome de usuário"
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        required
        maxLength={USERNAME_MAX}
        hint="O endereço da sua página: letras sem acento, números, ponto, hífen e sublinhado."
        defaultValue={values.username}
        error={errors.username}
      />
    </>
  );
}

export function EmailField({ values, errors }: Typed) {
  return (
    <TextField
      label="E-mail"
      name="email"
      type="email"
      inputMode="email"
      autoComplete="email"
      required
      maxLength={EMAIL_MAX}
      hint="Enviamos um código para ele."
      defaultValue={values.email}
      error={errors.email}
    />
  );
}

export function BirthDateField({ values, errors }: Typed) {
  return (
    <MaskedField
      mask="date"
      label="Data de nascimento"
      name="birthDate"
      autoComplete="bday"
      placeholder="31/12/1990"
      required
      maxLength={20}
      hint="Só para saber a sua idade. Não aparece para ninguém."
      defaultValue={values.birthDate}
      error={errors.birthDate}
    />
  );
}

/** Acceptance of the terms. The documents open in another tab, so that typed text stays. */
export function TermsField({ values, errors }: Typed) {
  return (
    <CheckboxField
      label={
        <>
          Li e aceito os <TermsLink to="/terms">termos de uso</TermsLink> e a{" "}
          <TermsLink to="/terms/privacy">política de privacidade</TermsLink>.
        </>
      }
      name="termsVersion"
      value={TERMS_VERSION}
      required
      defaultChecked={values.termsVersion === TERMS_VERSION}
      error={errors.termsVersion}
    />
  );
}

/** Opens a document beside the form, so that nothing typed is lost. */
function TermsLink({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer" className="underline underline-offset-2">
      {children}
    </a>
  );
}

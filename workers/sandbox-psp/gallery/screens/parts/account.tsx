import { AccountCrumb } from "#app/components/account/account-crumb.tsx";
import { AccountLinks, DeleteAccountLink } from "#app/components/account/account-links.tsx";
import { ApiKeyDetails } from "#app/components/account/api-keys/api-key-details.tsx";
import { AppsWithAccess } from "#app/components/account/api-keys/apps-with-access.tsx";
import { BackupCodes } from "#app/components/account/sign-in/backup-codes.tsx";
import { ContactConfirmation } from "#app/components/account/contacts/contact-confirmation.tsx";
import { ContactList } from "#app/components/account/contacts/contact-list.tsx";
import { ContactsPage } from "#app/components/account/contacts/contacts-page.tsx";
import { DeletionNotice } from "#app/components/account/deletion/deletion-notice.tsx";
import { ConsequenceList } from "#app/components/account/deletion/deletion-preview.tsx";
import { ExternalAccountList } from "#app/components/account/external-accounts/external-accounts.tsx";
import { ExternalSignInButtons } from "#app/components/account/external-accounts/external-sign-in-buttons.tsx";
import { ExternalSignInError } from "#app/components/account/external-accounts/external-sign-in-error.tsx";
import { LinkOutcomeText } from "#app/components/account/external-accounts/link-outcome.tsx";
import { LinkWithIdentifier } from "#app/components/account/external-accounts/link-with-identifier.tsx";
import { OtherSignInMethods } from "#app/components/account/sign-in/other-sign-in-methods.tsx";
import { PasskeyForm } from "#app/components/account/passkeys/passkey-form.tsx";
import { PasskeySignIn } from "#app/components/account/passkeys/passkey-sign-in.tsx";
import { PasswordForm } from "#app/components/account/sign-in/password-form.tsx";
import { SecretText } from "#app/components/account/api-keys/secret-text.tsx";
import { TermsNotice } from "#app/components/account/sign-in/terms-notice.tsx";
import { UsernameOffer } from "#app/components/account/sign-in/username-offer.tsx";
import { WalletButtons } from "#app/components/account/wallets/wallet-buttons.tsx";
import { BlockedSignIn } from "#app/components/clerk/blocked-sign-in.tsx";
import { HelpLink } from "#app/components/help/help-link.tsx";
import { KindSection } from "#app/components/notifications/kind-section.tsx";
import { OpeningCount } from "#app/components/notifications/opening-count.tsx";
import { PushDevices } from "#app/components/notifications/push-devices.tsx";
import { QuietHours } from "#app/components/notifications/quiet-hours.tsx";
import {
  StoppedAddress,
  StoppedAddressNote,
} from "#app/components/notifications/stopped-address.tsx";
import { StoppedNewsletters } from "#app/components/notifications/stopped-newsletters.tsx";
import { NameConfirmation } from "#app/components/teams/name-confirmation.tsx";
import { RoleChoice } from "#app/components/teams/role-choice.tsx";
import { TeamCrumb } from "#app/components/teams/team-crumb.tsx";
import { TeamForm } from "#app/components/teams/team-form.tsx";
import { TeamIdentity } from "#app/components/teams/team-identity.tsx";
import { LONG_NAME, LONG_WORD, problem } from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const apiKey = {
  id: "a",
  name: "Planilha",
  description: "Soma as vendas da semana.",
  hint: "ck_…1a2b",
  scopes: ["Ler publicações", "Ler vendas"],
  created: "3 de março",
  expires: "3 de março de 2027",
  lastUsed: null,
  isExpired: false,
};
const contact = {
  id: "a",
  shown: "ana@exemplo.com.br",
  isPrimary: true,
  isVerified: true,
  acts: { mayVerify: false, mayBePrimary: false, mayBeRemoved: false },
};

export const ACCOUNT: GalleryScreen = {
  slug: "account",
  title: "Conta e equipe",
  parts: [
    { name: "Caminho", element: <AccountCrumb /> },
    { name: "Partes da conta", element: <AccountLinks isOwnIdentity /> },
    {
      name: "E-mails",
      element: (
        <ContactList
          label="E-mails"
          path="/auth/account/emails"
          contacts={[
            contact,
            {
              id: "b",
              shown: `${LONG_WORD}@exemplo.com.br`,
              isPrimary: false,
              isVerified: false,
              acts: { mayVerify: true, mayBePrimary: true, mayBeRemoved: true },
            },
          ]}
        />
      ),
    },
    {
      name: "Confirmar um e-mail",
      element: (
        <ContactConfirmation
          back="/auth/account/emails"
          list="E-mails"
          question="Remover este e-mail?"
          lead="Você não entra mais com ele."
          act="Remover"
          variant="danger"
          problem={{ message: "Não deu certo. Tente de novo." }}
        />
      ),
    },
    {
      name: "A página dos e-mails",
      element: (
        <ContactsPage
          kind="email"
          lead="Para entrar e para os avisos."
          contacts={[contact]}
          problem={undefined}
        >
          <p>Novo e-mail</p>
        </ContactsPage>
      ),
    },
    {
      name: "Entrar sem senha",
      element: (
        <div>
          <PasskeySignIn to="/" />
          <WalletButtons purpose="sign-in" action="/auth/wallet" verb="Entrar" problem={null} />
        </div>
      ),
    },
    {
      name: "Chave de acesso nova",
      element: <PasskeyForm problem={undefined} nameMax={60} asksPassword />,
    },
    { name: "Conta bloqueada", element: <BlockedSignIn message="Esta conta foi suspensa." /> },
    { name: "Chave de API", element: <ApiKeyDetails apiKey={apiKey} /> },
    {
      name: "Chave de API vencida",
      element: <ApiKeyDetails apiKey={{ ...apiKey, isExpired: true }} />,
    },
    { name: "Aplicativos", element: <AppsWithAccess keys={[apiKey]} /> },
    { name: "Nenhum aplicativo", element: <AppsWithAccess keys={[]} /> },
    {
      name: "Códigos de reserva",
      element: <BackupCodes title="Guarde" codes={["a1b2-c3d4", "e5f6-g7h8"]} />,
    },
    { name: "Segredo", element: <SecretText label="Chave" copyLabel="Copiar" text={LONG_WORD} /> },
    {
      name: "Contas de fora, e nenhuma",
      element: (
        <div className="flex flex-col gap-4">
          <ExternalAccountList
            empty="Nenhuma."
            accounts={[
              {
                id: "a",
                name: "Google",
                label: `${LONG_WORD}@g.example`,
                isWallet: false,
                since: "hoje",
              },
            ]}
          />
          <ExternalAccountList empty="Nenhuma conta ligada." accounts={[]} />
        </div>
      ),
    },
    {
      name: "Entrar por fora",
      element: <ExternalSignInButtons choices={[{ id: "google", name: "Google" }]} />,
    },
    {
      name: "Entrar por fora: recusado",
      element: (
        <ExternalSignInError
          name="Google"
          message="A conta não confirmou o e-mail."
          back="/auth/login"
        />
      ),
    },
    ...(["verified", "expired", "failed", "client-mismatch"] as const).map((outcome) => ({
      name: `Link de entrada: ${outcome}`,
      element: <LinkOutcomeText outcome={outcome} />,
    })),
    {
      name: "Outras formas de entrar",
      element: <OtherSignInMethods choices={[{ id: "google", name: "Google" }]} to="/" />,
    },
    {
      name: "Link que leva o e-mail",
      element: <LinkWithIdentifier to="/auth/reset">Esqueci a senha</LinkWithIdentifier>,
    },
    {
      name: "Senha, com erro",
      element: (
        <PasswordForm
          problem={problem({ password: "A senha não confere." })}
          act="Confirmar"
          back="/auth/account"
          asksPassword
        />
      ),
    },
    {
      name: "Nome de usuário",
      element: <UsernameOffer given="ana" suggested="ana-prado" to="/" />,
    },
    { name: "Termos novos", element: <TermsNotice from="1º de dezembro" /> },
    { name: "Conta que vai embora", element: <DeletionNotice dueDay="11 de dezembro" mayStay /> },
    {
      name: "O que acontece ao apagar",
      element: (
        <div className="flex flex-col gap-4">
          <ConsequenceList consequences={["As suas publicações saem do ar.", LONG_WORD]} />
          <DeleteAccountLink />
        </div>
      ),
    },
    {
      name: "Ajuda",
      element: <HelpLink answer="pix">Como funciona o Pix</HelpLink>,
    },
    {
      name: "Equipe",
      element: <TeamIdentity name={LONG_NAME} ownerName="Ana Prado" logoMediaId={null} />,
    },
    {
      name: "Caminho da equipe",
      element: <TeamCrumb team={{ slug: "rabeca", name: LONG_NAME }} />,
    },
    { name: "Papel", element: <RoleChoice defaultValue="editor" error="Escolha um papel." /> },
    {
      name: "Equipe nova, com erro",
      element: (
        <TeamForm
          initial={{ name: "", slug: "" }}
          problem={problem({ name: "Dê um nome à equipe." })}
          submitLabel="Criar"
        />
      ),
    },
    {
      name: "Confirmar pelo nome",
      element: (
        <NameConfirmation
          teamName={LONG_NAME}
          submitLabel="Apagar"
          back="/settings/teams"
          backLabel="Voltar"
          problem={undefined}
        />
      ),
    },
  ],
};

export const NOTIFICATIONS: GalleryScreen = {
  slug: "notification-settings",
  title: "Avisos: ajustes",
  parts: [
    {
      name: "Tipos",
      element: (
        <KindSection
          title="Publicações"
          kinds={[
            {
              kind: "post",
              label: "Publicação nova",
              hint: "De quem você segue",
              channels: [
                { channel: "app", rule: "always", isOn: true },
                { channel: "mail", rule: "on", isOn: false },
                { channel: "push", rule: "none", isOn: false },
              ],
            },
          ]}
        />
      ),
      isWide: true,
    },
    {
      name: "Contar aberturas",
      element: <OpeningCount isCounted typed={undefined} error="Escolha uma opção." />,
    },
    {
      name: "Aparelhos, e nenhum",
      element: (
        <div className="flex flex-col gap-4">
          <PushDevices publicKey="" devices={[{ id: "a", label: LONG_NAME, since: "hoje" }]} />
          <PushDevices publicKey="" devices={[]} />
        </div>
      ),
    },
    {
      name: "Horas de silêncio",
      element: (
        <QuietHours
          hours={{ timeZone: "America/Sao_Paulo", quiet: { fromMinute: 1_320, untilMinute: 420 } }}
          problem={{ values: {}, errors: { until: "Escolha outra hora." } }}
        />
      ),
    },
    {
      name: "Endereço parado",
      element: (
        <div className="flex flex-col gap-4">
          <StoppedAddress
            email={`${LONG_WORD}@exemplo.com.br`}
            reason="bounced"
            since="3 de março"
          />
          <StoppedAddressNote reason="complained" />
        </div>
      ),
    },
    {
      name: "E-mails parados",
      element: <StoppedNewsletters creators={[{ id: "a", name: LONG_NAME }]} />,
    },
  ],
};

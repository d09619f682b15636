import { LinkList } from "#app/components/ui/links/link-list.tsx";
import { isEmbeddedOnly } from "#app/lib/embedded-only.ts";

const LINKS = [
  {
    to: "/auth/account/profile",
    label: "Nome e foto",
    hint: "O seu nome, a sua foto e o seu nome de usuário",
  },
  {
    to: "/auth/account/emails",
    label: "E-mails",
    hint: "Onde você recebe recibos e avisos, e com que entra",
  },
  {
    to: "/auth/account/phones",
    label: "Telefones",
    hint: "Entrar com o celular, por senha ou por SMS",
  },
  {
    to: "/auth/account/password",
    label: "Senha",
    hint: "Trocar a senha encerra as outras sessões",
  },
  {
    to: "/auth/account/passkeys",
    label: "Chaves de acesso",
    hint: "Entrar com digital, rosto ou PIN",
  },
  {
    to: "/auth/account/second-factor",
    label: "Verificação em duas etapas",
    hint: "Um código do celular, além da senha",
  },
  {
    to: "/auth/account/connections",
    label: "Contas conectadas",
    hint: "Contas de outros sites que abrem a sua",
  },
  { to: "/auth/account/wallets", label: "Carteiras", hint: "Entrar com uma carteira Ethereum" },
  {
    to: "/auth/account/keys",
    label: "Chaves de API",
    hint: "Programas que leem o Coreto em seu nome",
  },
  { to: "/settings/teams", label: "Equipes", hint: "Quem cuida de uma página junto" },
];

const LEAVING = [
  {
    to: "/auth/account/deletion",
    label: "Excluir conta",
    hint: "O que significa para você, e 30 dias para mudar de ideia",
  },
];

type AccountLinksProps = { isOwnIdentity: boolean };

/** Links to the account's pages. An external provider has its own screens for sign-in. */
export function AccountLinks({ isOwnIdentity }: AccountLinksProps) {
  return (
    <LinkList
      label="Mais da conta"
      links={LINKS.filter(({ to }) => isOwnIdentity || !isEmbeddedOnly(to))}
    />
  );
}

/** Link to account deletion, last on its page. */
export function DeleteAccountLink() {
  return <LinkList label="Exclusão" links={LEAVING} />;
}

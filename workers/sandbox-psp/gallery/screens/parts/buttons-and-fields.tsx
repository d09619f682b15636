import { CodeField } from "#app/components/account/sign-in/code-field.tsx";
import { IdentifierField } from "#app/components/account/sign-in/identifier-field.tsx";
import { NewPasswordField } from "#app/components/account/sign-in/new-password-field.tsx";
import {
  BirthDateField,
  EmailField,
  NameFields,
  TermsField,
} from "#app/components/account/sign-in/registration-fields.tsx";
import { CoverFields } from "#app/components/media/cover-fields.tsx";
import { CropField } from "#app/components/media/crop-field.tsx";
import { ActionMenu, ACTION_MENU_ITEM } from "#app/components/ui/action-menu.tsx";
import { Avatar } from "#app/components/ui/avatar.tsx";
import { Badge } from "#app/components/ui/badge.tsx";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import type { ButtonSize, ButtonVariant } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";
import { Choices } from "#app/components/ui/fields/choice.tsx";
import { CopyButton } from "#app/components/ui/copy-button.tsx";
import {
  CheckboxField,
  FileField,
  SelectField,
  TextArea,
  TextField,
} from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import { GuardedForm } from "#app/components/ui/fields/guarded-form.tsx";
import { LinkCard } from "#app/components/ui/links/link-card.tsx";
import { LinkList } from "#app/components/ui/links/link-list.tsx";
import { Logo, LogoMark } from "#app/components/ui/brand/logo.tsx";
import { MaskedField } from "#app/components/ui/fields/masked-field.tsx";
import { PageHeader } from "#app/components/ui/page-header.tsx";
import { QrCode } from "#app/components/ui/qr-code.tsx";
import { Tabs } from "#app/components/ui/links/tabs.tsx";
import { LONG_NAME, LONG_WORD, QR } from "#workers/sandbox-psp/gallery/screens/data.ts";
import type { GalleryScreen } from "#workers/sandbox-psp/gallery/screens/screen.ts";

const VARIANTS: ButtonVariant[] = ["primary", "outline", "ink", "ghost", "danger"];
const SIZES: ButtonSize[] = ["sm", "md", "lg"];

function Buttons({ isDisabled = false }: { isDisabled?: boolean }) {
  return (
    <div className="flex flex-wrap gap-2">
      {VARIANTS.flatMap((variant) =>
        SIZES.map((size) => (
          <Button key={variant + size} variant={variant} size={size} disabled={isDisabled}>
            Publicar
          </Button>
        )),
      )}
    </div>
  );
}

export const BUTTONS: GalleryScreen = {
  slug: "buttons",
  title: "Botões, marcas e pequenas peças",
  parts: [
    { name: "Botões", element: <Buttons /> },
    { name: "Botões que não podem ser usados", element: <Buttons isDisabled /> },
    {
      name: "Botões que são links, com texto comprido",
      element: (
        <div className="flex flex-wrap gap-2">
          <ButtonLink to="/explore">Explorar</ButtonLink>
          <ButtonLink to="/explore" variant="outline">
            Assinar o plano de {LONG_NAME}
          </ButtonLink>
          <CopyButton text="texto" label="Copiar" copiedText="Copiado." manualText="Copie à mão." />
        </div>
      ),
    },
    {
      name: "Menu de ações",
      element: (
        <ActionMenu label="Mais ações" isOutlined>
          <button type="button" className={ACTION_MENU_ITEM}>
            Editar
          </button>
        </ActionMenu>
      ),
    },
    {
      name: "Retratos",
      element: (
        <div className="flex flex-wrap items-center gap-2">
          {(["sm", "md", "lg", "xl"] as const).map((size) => (
            <Avatar key={size} name="Ana Prado" src={null} size={size} />
          ))}
          <Avatar name="Com foto" src="/coreto.png" size="lg" />
        </div>
      ),
    },
    {
      name: "Etiquetas",
      element: (
        <div className="flex flex-wrap gap-2">
          {(["neutral", "good", "attention", "refusal"] as const).map((tone) => (
            <Badge key={tone} tone={tone}>
              Em análise
            </Badge>
          ))}
        </div>
      ),
    },
    {
      name: "Marca e bandeirinhas",
      element: (
        <Card className="flex flex-col gap-4 overflow-hidden p-5">
          <Logo />
          <LogoMark />
          <Bandeirinhas seed="ana" columns={12} rows={2} className="h-16 w-full" />
        </Card>
      ),
    },
    {
      name: "Cabeçalho de página, com nome comprido",
      element: (
        <PageHeader title={LONG_NAME} lead="O que você vê aqui, em uma frase.">
          <Button size="sm">Criar</Button>
        </PageHeader>
      ),
    },
    {
      name: "Abas",
      element: (
        <Tabs
          label="Partes"
          tabs={[
            { to: "/sandbox/gallery/buttons", label: "Visão geral", end: true },
            { to: "/analytics/people", label: "Pessoas" },
            { to: "/analytics/posts", label: "Publicações" },
          ]}
        />
      ),
    },
    {
      name: "Lista de links",
      element: (
        <LinkList
          label="Ajustes"
          links={[
            { to: "/settings", label: "Conta", hint: "Nome, e-mail e senha" },
            { to: "/me", label: LONG_NAME, hint: LONG_WORD },
          ]}
        />
      ),
    },
    {
      name: "Endereço com QR",
      element: (
        <LinkCard
          label="Sua página"
          url="https://coreto.example/@ana"
          qr={QR}
          qrLabel="QR da sua página"
          copyLabel="Copiar endereço"
        />
      ),
    },
    { name: "QR", element: <QrCode drawing={QR} label="QR de um Pix" /> },
  ],
};

const CHOICES = [
  { value: "pix", label: "Pix", hint: "Cai na hora" },
  { value: "card", label: "Cartão de crédito" },
  { value: "none", label: "Boleto", disabled: true },
];

export const FIELDS: GalleryScreen = {
  slug: "fields",
  title: "Campos e formulários",
  parts: [
    {
      name: "Texto",
      element: <TextField label="Nome do plano" name="name" hint="Até 60 letras" />,
    },
    {
      name: "Texto com erro, e opcional com prefixo",
      element: (
        <div className="flex flex-col gap-4">
          <TextField
            label="E-mail"
            name="email"
            defaultValue={LONG_WORD}
            error="Confira o endereço: falta o @."
          />
          <TextField label="Preço" name="price" prefix="R$" required={false} />
        </div>
      ),
    },
    {
      name: "Texto longo",
      element: (
        <TextArea
          label="Sobre você"
          name="bio"
          defaultValue="Toco rabeca."
          error="Use até 300 letras."
        />
      ),
    },
    {
      name: "Com máscara",
      element: <MaskedField mask="cpf" label="CPF" name="taxId" defaultValue="12345678909" />,
    },
    {
      name: "Lista de opções",
      element: (
        <SelectField
          label="Assunto"
          name="subject"
          options={[
            { value: "music", label: "Música" },
            { value: "art", label: "Arte" },
          ]}
        />
      ),
    },
    { name: "Arquivo", element: <FileField label="Documento" name="file" hint="PDF, até 10 MB" /> },
    {
      name: "Caixa de marcar, com erro",
      element: <CheckboxField label="Li e aceito" name="accepts" error="Marque para continuar." />,
    },
    {
      name: "Escolha de um",
      element: (
        <Choices legend="Forma de pagamento" name="method" options={CHOICES} defaultValue="pix" />
      ),
    },
    {
      name: "Escolha de vários, com erro",
      element: (
        <Choices
          legend="Onde avisar"
          name="channels"
          type="checkbox"
          options={CHOICES}
          error="Escolha pelo menos um."
        />
      ),
    },
    {
      name: "Recado acima do formulário",
      element: (
        <FormMessage
          message="O código expirou. Peça um novo."
          link={{ to: "/auth/code", text: "Pedir outro código" }}
        />
      ),
    },
    {
      name: "Formulário que avisa antes de perder o que foi escrito",
      element: (
        <GuardedForm method="post">
          <TextField label="Título" name="title" />
        </GuardedForm>
      ),
    },
    {
      name: "Cadastro, com erros",
      element: (
        <div className="flex flex-col gap-4">
          <NameFields
            values={{ firstName: LONG_NAME }}
            errors={{ lastName: "Use até 60 letras." }}
          />
          <EmailField values={{}} errors={{ email: "Este e-mail já tem uma conta." }} />
          <BirthDateField values={{ birthDate: "2020-01-01" }} errors={{}} />
          <TermsField values={{}} errors={{ terms: "Marque para continuar." }} />
        </div>
      ),
    },
    {
      name: "Entrar",
      element: (
        <div className="flex flex-col gap-4">
          <IdentifierField defaultValue="ana" error={undefined} />
          <CodeField error="O código não confere." defaultValue="123456" />
          <NewPasswordField label="Senha nova" error="Use pelo menos 10 letras." />
        </div>
      ),
    },
    {
      name: "Imagem a recortar",
      element: (
        <CropField label="Foto" name="avatar" shape="avatar" error={undefined} hint="JPG ou PNG" />
      ),
    },
    {
      name: "Capa",
      element: <CoverFields values={{}} errors={{}} coverMediaId={null} />,
    },
  ],
};

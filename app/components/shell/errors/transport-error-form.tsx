import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { TextArea } from "#app/components/ui/fields/field.tsx";
import { FormMessage } from "#app/components/ui/fields/form-message.tsx";
import type { TransportError, Typed } from "#app/lib/form-problem.ts";

/** Labels of typed fields. Other fields of a form were chosen, and are sent again hidden. */
const WRITTEN: Record<string, string> = {
  name: "Nome",
  fullName: "Nome completo",
  firstName: "Nome",
  lastName: "Sobrenome",
  username: "Nome de usuário",
  email: "E-mail",
  emails: "E-mails",
  phone: "Telefone",
  birthDate: "Data de nascimento",
  cpf: "CPF",
  pixKey: "Chave Pix",
  title: "Título",
  content: "Texto",
  text: "Texto",
  body: "Texto",
  comment: "Comentário",
  message: "Mensagem",
  teaser: "Chamada",
  imageAlt: "Descrição para quem não vê",
  craft: "O que você faz",
  bio: "Sobre você",
  city: "Cidade",
  description: "Descrição",
  benefits: "Benefícios",
  price: "Preço",
  seats: "Lugares",
  welcomeMessage: "Mensagem de boas-vindas",
  reason: "Motivo",
};
const LONG_TEXT = 80;

/**
 * Form of a page without JavaScript that offers typed values again, after the server could not
 * identify the sender.
 */
export function TransportErrorForm({
  message,
  path,
  link,
  typed: { values, isWhole, repeated = [] },
}: TransportError & { typed: Typed }) {
  const fields = Object.entries(values).flatMap(([name, value]) =>
    (repeated.includes(name) ? value.split("\n") : [value]).map((one) => ({ name, value: one })),
  );
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-4 py-6 lg:py-10">
      <h1 className="text-title">Isto ainda não foi enviado</h1>
      <form method="post" action={path} className="flex flex-col gap-4">
        <FormMessage message={message} link={link} />
        <p className="text-muted">
          {isWhole
            ? "O que você digitou está aqui. Depois, envie de novo."
            : "O que você digitou está aqui. Copie para o formulário, onde senhas, arquivos e escolhas se dizem de novo."}
        </p>
        {fields.map(({ name, value }, index) => {
          const key = `${name} ${index}`;
          const label = WRITTEN[name];
          if (label === undefined || value === "")
            return <input key={key} type="hidden" name={name} value={value} />;
          return (
            <TextArea
              key={key}
              label={label}
              name={name}
              defaultValue={value}
              rows={value.length > LONG_TEXT ? 8 : 1}
            />
          );
        })}
        <div className="flex flex-wrap gap-3">
          {isWhole ? <Button size="lg">Enviar de novo</Button> : null}
          <ButtonLink to={path} reloadDocument variant="outline" size="lg">
            Voltar ao formulário
          </ButtonLink>
        </div>
      </form>
    </div>
  );
}

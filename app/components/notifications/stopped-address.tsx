import { Form, Link } from "react-router";
import { useCompany } from "#app/components/shell/company.ts";
import { Button, ButtonLink } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

type StoppedAddressProps = { email: string; reason: "bounced" | "complained"; since: string };

const TITLES = {
  bounced: "Os nossos e-mails não chegam até você",
  complained: "Um e-mail nosso foi marcado como spam",
};

/** Says beside the notifications that the address gets fewer emails, and leads to the reason. */
export function StoppedAddressNote({ reason }: Pick<StoppedAddressProps, "reason">) {
  return (
    <Card className="mb-4 flex flex-wrap items-center justify-between gap-3 p-5">
      <p className="font-semibold">{TITLES[reason]}</p>
      <ButtonLink to="/settings/notifications" variant="outline" size="sm">
        Ver o motivo
      </ButtonLink>
    </Card>
  );
}

/** Says that the member's address gets fewer emails, or none, why, and how to undo it. */
export function StoppedAddress({ email, reason, since }: StoppedAddressProps) {
  const company = useCompany();
  const address = <strong className="break-all">{email}</strong>;
  return (
    <Card className="mb-6 flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-[1.125rem] leading-6">{TITLES[reason]}</h2>
      {reason === "bounced" ? (
        <p>
          Em {since}, um e-mail nosso para {address} voltou, sem como entregar. Por isso não
          enviamos mais nenhum aviso para lá, nem os de dinheiro e de segurança: veja-os aqui no
          Coreto. Só os e-mails de acesso à conta, como códigos e trocas de senha, continuam saindo.
          Se o endereço mudou,{" "}
          <Link to="/auth/account/emails" className="underline">
            troque o seu e-mail
          </Link>
          .
        </p>
      ) : (
        <p>
          Em {since}, um e-mail nosso para {address} foi marcado como spam. Por isso paramos os que
          podem ser desligados, como publicações, comentários, saques e resumos. Os outros
          (pagamentos, falhas, contestações, documentos, segurança e decisões) continuam saindo,
          enquanto o serviço de e-mail os aceitar.
        </p>
      )}
      <Form method="post" action="/settings/notifications/address/resumption">
        <input type="hidden" name="reason" value={reason} />
        <Button variant="outline" size="sm">
          Tentar de novo
        </Button>
      </Form>
      <p className="text-small text-muted">
        Se o próximo e-mail não sair, este aviso volta. Então escreva para{" "}
        <a href={`mailto:${company.email}`} className="underline">
          {company.email}
        </a>
        .
      </p>
    </Card>
  );
}

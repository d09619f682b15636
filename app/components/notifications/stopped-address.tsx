import { Form, Link } from "react-router";
import { Button } from "#app/components/ui/button.tsx";
import { Card } from "#app/components/ui/card.tsx";

type StoppedAddressProps = { email: string; reason: "bounced" | "complained"; since: string };

/** Says that the member's address gets fewer emails, or none, why, and how to undo it. */
export function StoppedAddress({ email, reason, since }: StoppedAddressProps) {
  return (
    <Card className="mb-6 flex flex-col gap-3 p-5 sm:p-6">
      <h2 className="text-[1.125rem] leading-6">
        {reason === "bounced"
          ? "Não conseguimos enviar e-mails para você"
          : "Você marcou um e-mail nosso como spam"}
      </h2>
      <p>
        {reason === "bounced" ? (
          <>
            Em {since}, a caixa de <strong className="break-all">{email}</strong> devolveu um e-mail
            nosso e disse que não recebe mais. Por isso não enviamos nenhum aviso para lá, nem os de
            dinheiro e segurança: veja-os aqui no Coreto. Só os códigos que você pede ao entrar
            continuam saindo. Se o endereço mudou,{" "}
            <Link to="/auth/account/emails" className="underline">
              troque o seu e-mail
            </Link>
            .
          </>
        ) : (
          <>
            Em {since}, um e-mail nosso para <strong className="break-all">{email}</strong> foi
            marcado como spam. Por isso paramos os que não são obrigatórios, como publicações,
            resumos e comentários. Os de dinheiro, segurança e decisões continuam chegando.
          </>
        )}
      </p>
      <Form method="post" action="/settings/notifications/address/resumption">
        <Button variant="outline" size="sm">
          {reason === "bounced" ? "O endereço funciona: enviar de novo" : "Voltar a receber todos"}
        </Button>
      </Form>
    </Card>
  );
}

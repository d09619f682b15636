import { isRouteErrorResponse } from "react-router";
import { Bandeirinhas } from "#app/components/ui/brand/bandeirinhas.tsx";
import { ButtonLink } from "#app/components/ui/button.tsx";
import { transportErrorOf } from "./transport-error.ts";
import { useOnline } from "#app/components/shell/browser/offline-notice.tsx";
import { TransportErrorForm } from "./transport-error-form.tsx";

type ErrorTexts = { title: string; text: string };

const BY_STATUS: Record<number, ErrorTexts> = {
  400: {
    title: "Este pedido veio com defeito",
    text: "Volte, confira o que foi preenchido e tente de novo.",
  },
  401: {
    title: "Entre para ver isto",
    text: "Esta página é de quem tem conta. Entre e você volta para cá.",
  },
  403: {
    title: "Esta página não é para a sua conta",
    text: "Se você acha que deveria entrar aqui, confira se está na conta certa.",
  },
  404: {
    title: "Não encontramos esta página",
    text: "O endereço pode ter mudado, ou a publicação saiu do ar. Procure por quem você quer ver.",
  },
  409: {
    title: "Isto mudou enquanto você olhava",
    text: "Volte, confira como está agora e tente de novo.",
  },
  429: {
    title: "Devagar um pouco",
    text: "Foram muitos pedidos em pouco tempo. Espere um minuto e tente de novo.",
  },
  503: {
    title: "Isto está fora do ar agora",
    text: "Já estamos cuidando. Espere um minuto e tente de novo.",
  },
};

const FAULT: ErrorTexts = {
  title: "Algo deu errado do nosso lado",
  text: "Nada foi cobrado nem publicado por causa disto. Tente de novo; se continuar, fale com a gente.",
};
const OFFLINE: ErrorTexts = {
  title: "Você está sem internet",
  text: "Confira a conexão e tente de novo. Nada do que você fez se perdeu.",
};

/**
 * Error page: what happened, what to do and a way back. Shows the message of a refusal, never that
 * of an unexpected error.
 */
export function ErrorPage({ error }: { error: unknown }) {
  const online = useOnline();
  const status = isRouteErrorResponse(error) ? error.status : 500;
  const transportError = transportErrorOf(error);
  if (transportError) return <TransportErrorForm {...transportError} />;
  const texts = online ? (BY_STATUS[status] ?? FAULT) : OFFLINE;
  return (
    <ErrorMessage
      title={texts.title}
      text={online ? (messageOf(error) ?? texts.text) : texts.text}
      status={online ? status : null}
    />
  );
}

export function ErrorMessage({ title, text, status }: ErrorTexts & { status: number | null }) {
  return (
    <div className="mx-auto flex w-full max-w-2xl flex-col gap-4 py-6 lg:py-10">
      <Bandeirinhas seed={title} columns={12} rows={2} className="h-24 w-full rounded-card" />
      {status ? <p className="text-small text-muted">Erro {status}</p> : null}
      <h1 className="text-title sm:text-display">{title}</h1>
      <p className="text-body text-muted">{text}</p>
      {status === 404 ? <SearchPeople /> : null}
      <div className="flex flex-wrap gap-2 pt-2">
        <ButtonLink to="/" reloadDocument>
          Voltar ao início
        </ButtonLink>
        {status === 404 ? null : (
          <ButtonLink to="" reloadDocument variant="outline">
            Tentar de novo
          </ButtonLink>
        )}
      </div>
    </div>
  );
}

function SearchPeople() {
  return (
    <form method="get" action="/explore" role="search" className="flex flex-wrap gap-2">
      <label htmlFor="procurar" className="sr-only">
        Procurar pessoas
      </label>
      <input
        id="procurar"
        name="q"
        type="search"
        placeholder="Nome ou assunto"
        className="min-h-12 min-w-0 flex-1 basis-44 rounded-full border border-edge bg-card px-5"
      />
      <button
        type="submit"
        className="min-h-12 rounded-full border border-line bg-card px-6 font-semibold hover:border-edge"
      >
        Procurar
      </button>
    </form>
  );
}

function messageOf(error: unknown): string | null {
  if (!isRouteErrorResponse(error)) return null;
  const body: unknown = error.data;
  return typeof body === "object" &&
    body !== null &&
    "message" in body &&
    typeof body.message === "string"
    ? body.message
    : null;
}

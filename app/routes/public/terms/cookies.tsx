import { COMPANY } from "#app/components/shell/company.ts";
import type { Route } from "./+types/cookies.ts";

export const meta: Route.MetaFunction = () => [
  { title: "Cookies · Coreto" },
  { name: "description", content: "Os poucos cookies que o Coreto usa, para quê e por quanto tempo." },
];

const COOKIES = [
  { name: "Sessão", purpose: "Saber que é você, depois de entrar. Sem ele não há conta.", life: "até sair, no máximo 30 dias" },
  { name: "coreto-theme", purpose: "Lembrar se você prefere claro, escuro ou como no aparelho.", life: "1 ano" },
  { name: "__Host-toast", purpose: "Mostrar uma vez o aviso do que você acabou de fazer.", life: "1 minuto" },
  { name: "__Host-coreto-client", purpose: "Abrir os links de confirmação só no navegador em que você os pediu.", life: "1 hora" },
  { name: "Marcador de leitura", purpose: "Garantir que você veja na hora o que acabou de mudar.", life: "até fechar o navegador" },
];

export default function Cookies() {
  return (
    <>
      <h1 className="text-title sm:text-display">Cookies</h1>
      <p>
        Cookies são pequenos arquivos que o site deixa no seu navegador. Usamos só os necessários para o Coreto funcionar; nenhum deles é de anúncio e nenhum é
        vendido ou passado adiante.
      </p>
      <h2>Os que usamos</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Cookie</th>
            <th scope="col">Para quê</th>
            <th scope="col">Por quanto tempo</th>
          </tr>
        </thead>
        <tbody>
          {COOKIES.map((cookie) => (
            <tr key={cookie.name}>
              <td>{cookie.name}</td>
              <td>{cookie.purpose}</td>
              <td>{cookie.life}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>Medição</h2>
      <p>Só medimos o uso do site por ferramenta de terceiros se você aceitar antes. Sem aceite, nenhum cookie de medição é criado, e tudo funciona igual.</p>
      <h2>Pagamento</h2>
      <p>
        O campo do cartão é servido pela empresa de pagamento, em endereço separado do nosso. Ele não recebe cookies do Coreto, e o número do cartão não passa por nós.
      </p>
      <h2>Como apagar</h2>
      <p>
        Você pode apagar os cookies nas configurações do navegador. Apagando o da sessão, é preciso entrar de novo. Dúvidas:{" "}
        <a href={`mailto:${COMPANY.privacyEmail}`}>{COMPANY.privacyEmail}</a>.
      </p>
    </>
  );
}

import { useCompany } from "#app/components/shell/company.ts";
import { COOKIE_LIST } from "#app/components/shell/measurement/cookie-list.ts";
import { MeasurementForm } from "#app/components/shell/measurement/measurement.tsx";
import { domainContext } from "#app/http/contexts.ts";
import { productPageMeta } from "#app/http/public-pages/public-meta.ts";
import type { Route } from "./+types/cookies.ts";

const HEAD = {
  title: "Cookies",
  description: "Os poucos cookies que o Coreto usa, para quê e por quanto tempo.",
  path: "/terms/cookies",
};

export const meta: Route.MetaFunction = ({ loaderData }) =>
  productPageMeta({ ...HEAD, origin: loaderData?.origin ?? "" });

export const loader = ({ context }: Route.LoaderArgs) => ({
  origin: context.get(domainContext).settings.appOrigin,
});

export default function Cookies() {
  const company = useCompany();
  return (
    <>
      <h1 className="text-title sm:text-display">Cookies</h1>
      <p>
        Cookies são pequenos arquivos que o site deixa no seu navegador. Usamos só os necessários
        para o Coreto funcionar; nenhum deles é de anúncio e nenhum é vendido ou passado adiante.
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
          {COOKIE_LIST.map((cookie) => (
            <tr key={cookie.name}>
              <td className="wrap-anywhere">{cookie.name}</td>
              <td>{cookie.purpose}</td>
              <td>{cookie.life}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <h2>O que fica só neste aparelho</h2>
      <p>
        O tema, o ponto em que você parou um vídeo ou áudio, o texto que ainda não foi salvo, as
        mensagens que esperam a conexão para ser enviadas e a escolha dos atalhos de teclado ficam
        no seu navegador e não vêm para nós. Se você instala o Coreto, ele guarda também o último
        início que abriu, para abrir sem internet, até você sair.
      </p>
      <h2 id="medicao">Medição</h2>
      <p>
        Para quem publica saber o que é visto, contamos as visitas sem cookie: do seu endereço de
        rede e do navegador fazemos um resumo que vale um dia e uma só página, e apagamos a chave
        dele quando o dia acaba; as cópias de segurança a guardam por até 30 dias. Guardamos o site
        de onde você veio, o link de divulgação e a campanha, o tipo de aparelho, o país, quanto
        tempo a página ficou à vista e até onde um áudio ou vídeo tocou. O link de divulgação vai no
        endereço das páginas, nunca num cookie. Não contamos quem pede para não ser rastreado no
        navegador, nem quem recusa a medição aqui.
      </p>
      <p>
        A ferramenta de medição do Google só é carregada nas páginas abertas a todos, onde o Coreto
        a configurou, e só depois que você aceita. Ela deixa os cookies _ga e _ga_…, por até dois
        anos, e envia ao Google o caminho da página e dados do navegador, parte deles para fora do
        Brasil. Recusar apaga esses cookies e não muda nada no que você pode fazer.
      </p>
      <MeasurementForm to="/terms/cookies" />
      <h2>Pagamento</h2>
      <p>
        O campo do cartão é servido pela empresa de pagamento, em endereço separado do nosso. Ele
        não recebe cookies do Coreto, e o número do cartão não passa por nós. Quando essa empresa é
        a Stripe, ela guarda, só onde um cartão é digitado, dois cookies dela contra fraude:
        __stripe_mid (um ano) e __stripe_sid (30 minutos).
      </p>
      <h2>Como apagar</h2>
      <p>
        Você pode apagar os cookies nas configurações do navegador. Apagando o da sessão, é preciso
        entrar de novo. Dúvidas:{" "}
        <a href={`mailto:${company.privacyEmail}`}>{company.privacyEmail}</a>.
      </p>
    </>
  );
}

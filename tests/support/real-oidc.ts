import type { Server } from "node:http";
import Provider from "oidc-provider";

export type RealOidc = { issuer: string; env: Record<string, string>; stop(): Promise<void> };

/**
 * Starts a real external OpenID Connect provider on this machine. Its pages accept any login, which
 * becomes the person's e-mail. `origin` is the product's.
 */
export async function realOidc(port: number, origin: string): Promise<RealOidc> {
  const issuer = `http://127.0.0.1:${port}`;
  const client = {
    client_id: "coreto",
    client_secret: "a secret that is long enough",
    redirect_uris: [`${origin}/auth/outside/empresa/callback`],
  };
  const provider = new Provider(issuer, {
    clients: [client],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    cookies: { keys: ["a key of a test"] },
    pkce: { required: () => true },
    findAccount: (_: unknown, login: string) => ({
      accountId: login,
      claims: () => ({
        sub: login,
        email: login,
        email_verified: !login.startsWith("sem-prova"),
        name: "Lia de Fora",
      }),
    }),
  });
  const server = await new Promise<Server>((resolve) => {
    const listening = provider.listen(port, "127.0.0.1", () => resolve(listening));
  });
  return {
    issuer,
    env: {
      OIDC_PROVIDERS: "empresa",
      OIDC_EMPRESA_ISSUER: issuer,
      OIDC_EMPRESA_CLIENT_ID: client.client_id,
      OIDC_EMPRESA_CLIENT_SECRET: client.client_secret,
      OIDC_EMPRESA_NAME: "Empresa",
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Types of what the tests use from `oidc-provider`, which has none of its own. */
declare module "oidc-provider" {
  import type { Server } from "node:http";
  export default class Provider {
    constructor(issuer: string, configuration: object);
    listen(port: number, host: string, ready: () => void): Server;
  }
}

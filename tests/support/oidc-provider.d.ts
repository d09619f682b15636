/** What the tests use of a library that brings no types. */
declare module "oidc-provider" {
  import type { Server } from "node:http";
  export default class Provider {
    constructor(issuer: string, configuration: object);
    listen(port: number, host: string, ready: () => void): Server;
  }
}

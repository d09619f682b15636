import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // scripts/build.ts gives each build a folder of its own.
  buildDirectory: process.env.CORETO_BUILD_DIRECTORY ?? "build/deploy",
  // app/http/origin.ts refuses for every unsafe method, resource routes and a missing Origin too,
  // with a quiet 403; React Router's
  // own check covers less and counts each refusal as a fault.
  allowedActionOrigins: ["**"],
} satisfies Config;

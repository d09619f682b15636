import type { Config } from "@react-router/dev/config";

export default {
  ssr: true,
  // scripts/build.ts gives each build a folder of its own.
  buildDirectory: process.env.CORETO_BUILD_DIRECTORY ?? "build/deploy",
} satisfies Config;

//! The credentials of the bucket of `FILES_URL=s3://…`, under the names that AWS's own programs read.

use clap::Args;
use returns::S3Settings;
use std::fmt;

#[derive(Args)]
#[expect(clippy::struct_field_names, reason = "fields are named as the flags are")]
#[command(next_help_heading = "Files on S3")]
pub(super) struct S3Options {
    /// Access key ID
    #[arg(long, env = "AWS_ACCESS_KEY_ID", default_value = "", hide_env_values = true)]
    aws_access_key_id: String,
    /// Secret access key
    #[arg(long, env = "AWS_SECRET_ACCESS_KEY", default_value = "", hide_env_values = true)]
    aws_secret_access_key: String,
    /// Session token of temporary credentials; not renewed
    #[arg(long, env = "AWS_SESSION_TOKEN", default_value = "", hide_env_values = true)]
    aws_session_token: String,
    /// Region of the bucket, such as eu-central-1
    #[arg(long, env = "AWS_REGION", default_value = "")]
    aws_region: String,
    /// Region, if `--aws-region` is not set
    #[arg(long, env = "AWS_DEFAULT_REGION", default_value = "")]
    aws_default_region: String,
    /// Address of another S3 server than AWS, such as `https://s3.example.com`
    #[arg(long, env = "AWS_ENDPOINT_URL_S3", default_value = "")]
    aws_endpoint_url_s3: String,
    /// Address, if `--aws-endpoint-url-s3` is not set
    #[arg(long, env = "AWS_ENDPOINT_URL", default_value = "")]
    aws_endpoint_url: String,
}

impl S3Options {
    pub(super) fn settings(&self) -> S3Settings {
        let first = |one: &String, other: &String| if one.is_empty() { other.clone() } else { one.clone() };
        S3Settings {
            access_key_id: self.aws_access_key_id.clone(),
            secret_access_key: self.aws_secret_access_key.clone(),
            session_token: self.aws_session_token.clone(),
            region: first(&self.aws_region, &self.aws_default_region),
            endpoint: first(&self.aws_endpoint_url_s3, &self.aws_endpoint_url),
        }
    }
}

/// Prints no field, because some are secret.
impl fmt::Debug for S3Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Options").finish_non_exhaustive()
    }
}

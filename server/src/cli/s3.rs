//! What opens the bucket of `FILES_URL=s3://…`, by the names that AWS's own programs know.

use clap::Args;
use returns::S3Settings;
use std::fmt;

#[derive(Args)]
#[expect(clippy::struct_field_names, reason = "fields are named as the flags are")]
#[command(next_help_heading = "Files on S3")]
pub(super) struct S3Options {
    /// The key's name
    #[arg(long, env = "AWS_ACCESS_KEY_ID", default_value = "", hide_env_values = true)]
    aws_access_key_id: String,
    /// The key
    #[arg(long, env = "AWS_SECRET_ACCESS_KEY", default_value = "", hide_env_values = true)]
    aws_secret_access_key: String,
    /// What belongs to a key that is for a while; it is not renewed
    #[arg(long, env = "AWS_SESSION_TOKEN", default_value = "", hide_env_values = true)]
    aws_session_token: String,
    /// Where the bucket is, such as eu-central-1
    #[arg(long, env = "AWS_REGION", default_value = "")]
    aws_region: String,
    /// The same, where it is not set
    #[arg(long, env = "AWS_DEFAULT_REGION", default_value = "")]
    aws_default_region: String,
    /// The address of an S3 server that is not AWS's, such as `https://s3.example.com`
    #[arg(long, env = "AWS_ENDPOINT_URL_S3", default_value = "")]
    aws_endpoint_url_s3: String,
    /// The same, where it is not set
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

/// Nothing of it: a key is nobody's to read.
impl fmt::Debug for S3Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("S3Options").finish_non_exhaustive()
    }
}

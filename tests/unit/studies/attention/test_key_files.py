"""Keys, noise and values described in a small TOML."""

import numpy as np
import pytest

from regard.errors import InputFileError
from regard.studies.attention.key_files import read_keys


@pytest.fixture
def described(tmp_path):
    def read(text):
        path = tmp_path / "keys.toml"
        path.write_text(text)
        return read_keys(str(path))

    return read


@pytest.fixture
def complaint(described, tmp_path):
    def read(text):
        with pytest.raises(InputFileError) as caught:
            described(text)
        return str(caught.value).replace(f"{tmp_path}/", "")

    return read


class TestReading:
    def test_the_classic_exercise(self, described):
        file = described(
            """
            [keys]
            mean = "orthonormal"
            count = 3
            scale = 2.0
            [noise]
            isotropic = 0.25
            radial = { variance = 0.5, key = 1 }
            """
        )
        assert file.is_noisy
        assert file.values is None
        assert file.keys.mean.tolist() == (2 * np.eye(3)).tolist()
        assert file.keys.matrix(0).tolist() == np.diag([0.25, 0.25, 0.25]).tolist()
        assert file.keys.matrix(1).tolist() == np.diag([0.25, 0.25 + 0.5 * 4, 0.25]).tolist()

    def test_keys_alone_have_no_noise(self, described):
        file = described("[keys]\ncount = 2\nwidth = 3")
        assert not file.is_noisy
        assert file.keys.mean.tolist() == [[1, 0, 0], [0, 1, 0]]
        assert not file.keys.matrix(0).any()

    def test_an_array_file_has_no_noise(self, tmp_path):
        np.save(tmp_path / "keys.npy", [[1, 2]])
        file = read_keys(str(tmp_path / "keys.npy"))
        assert not file.is_noisy
        assert file.keys.mean.tolist() == [[1.0, 2.0]]

    def test_lists_for_mean_and_values(self, described):
        file = described("[keys]\nmean = [[1, 2], [3, 4]]\n[values]\nrows = [[1], [2]]")
        assert file.keys.mean.tolist() == [[1.0, 2.0], [3.0, 4.0]]
        assert file.values.tolist() == [[1.0], [2.0]]

    def test_orthonormal_values(self, described):
        assert described("[keys]\ncount = 2\nwidth = 3\n[values]").values.tolist() == [[1, 0], [0, 1]]

    def test_files_are_found_beside_the_toml(self, described, tmp_path):
        np.savez(tmp_path / "arrays.npz", mean=np.eye(2), covariance=[[2.0, 1.0], [1.0, 2.0]])
        file = described('[keys]\nmean = "arrays.npz:mean"\n[noise]\nfull = "arrays.npz:covariance"')
        assert file.keys.matrix(1).tolist() == [[2.0, 1.0], [1.0, 2.0]]

    @pytest.mark.parametrize(
        ("noise", "first", "second"),
        [
            ("isotropic = [1, 2]", [1, 1], [2, 2]),
            ("radial = 3", [3, 0], [0, 3]),
            ("radial = [1, 2]", [1, 0], [0, 2]),
            ("radial = [{ variance = 1, key = 0 }, { variance = 2, key = 1 }]", [1, 0], [0, 2]),
            ("diagonal = [1, 2]", [1, 2], [1, 2]),
            ("diagonal = { variance = [1, 2], key = 1 }", [0, 0], [1, 2]),
            ("low_rank = [[2], [0]]", [4, 0], [4, 0]),
            ("low_rank = { factor = [[2], [0]], key = 1 }", [0, 0], [4, 0]),
            ("full = [[1, 0], [0, 2]]", [1, 2], [1, 2]),
            ("isotropic = 1\ndiagonal = [1, 2]", [2, 3], [2, 3]),
        ],
    )
    def test_each_kind_of_noise(self, described, noise, first, second):
        keys = described(f"[keys]\ncount = 2\n[noise]\n{noise}").keys
        assert keys.matrix(0).tolist() == np.diag(first).tolist()
        assert keys.matrix(1).tolist() == np.diag(second).tolist()

    def test_shared_noise(self, described):
        file = described("[keys]\ncount = 2\n[noise]\nshared = [[[0.1, 0.0], [0.0, 0.1]]]")
        assert file.is_noisy
        assert file.keys.shared.shape == (1, 2, 2)


class TestRefusing:
    def test_a_missing_file(self, tmp_path):
        with pytest.raises(InputFileError, match=r"cannot read .*no\.toml: No such file or directory"):
            read_keys(str(tmp_path / "no.toml"))

    def test_what_is_not_toml(self, complaint, tmp_path):
        assert complaint("[keys").startswith("keys.toml: not TOML: Expected ']'")
        assert complaint("x = " + "9" * 5000).startswith("keys.toml: not TOML: Exceeds the limit (4300 digits)")
        nested = "x = " + "[" * 100_000 + "]" * 100_000
        assert complaint(nested) == "keys.toml: lists or tables are nested too deeply; write them flatter"
        (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
        with pytest.raises(InputFileError, match=r"bytes\.toml: not TOML: 'utf-8' codec"):
            read_keys(str(tmp_path / "bytes.toml"))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("", "there is no [keys] table to say what the keys are"),
            ("[noise]\nisotropic = 1", "there is no [keys] table to say what the keys are"),
            ("keys = 3", "keys must be a table, [keys]; got 3"),
            ("[kyes]\ncount = 2", "the file has no 'kyes'; it knows keys, noise, values"),
            ("[keys]\ncont = 2", "[keys] has no 'cont'; it knows mean, count, width, scale"),
            ("[keys]", "[keys] count must say how many orthonormal keys there are"),
            ("[keys]\ncount = 2.0", "[keys] count must be a whole number; got 2.0"),
            ("[keys]\ncount = true", "[keys] count must be a whole number; got True"),
            (
                "[keys]\ncount = 3\nwidth = 2",
                "[keys] needs 1 ≤ count ≤ width for orthonormal keys; got count 3, width 2",
            ),
            (
                "[keys]\ncount = 0",
                "[keys] needs 1 ≤ count ≤ width for orthonormal keys; got count 0, width 0",
            ),
            (
                "[keys]\ncount = 1000000",
                "[keys] count times width may be 10,000,000; got count 1,000,000, width 1,000,000",
            ),
            ("[keys]\ncount = 2\nscale = nan", "[keys] scale must be a number up to 1e+100; got nan"),
            ('[keys]\ncount = 2\nscale = "2"', "[keys] scale must be a number up to 1e+100; got '2'"),
            (
                "[keys]\nmean = [[1, 2]]\ncount = 1",
                "[keys] count is for orthonormal keys; these have their shape from mean",
            ),
            (
                "[keys]\nmean = [[1, 2], [3]]",
                "[keys] mean[1]: expected 2 entries as in the first entry; got 1 entries",
            ),
            ("[keys]\nmean = [[1, nan]]", "[keys] mean: every number must be finite; entry [0, 1] is nan"),
            ("[keys]\nmean = [1, 2]", "[keys] mean: expected rows of numbers, at least one; got shape (2,)"),
            (
                "[keys]\nmean = 1979-05-27",
                '[keys] mean: expected a number or a list of them; got "1979-05-27"',
            ),
            ('[keys]\nmean = "no.npy"', "[keys] mean: cannot read no.npy: No such file or directory"),
            (
                "[keys]\ncount = 2\n[noise]\nisotropy = 1",
                "[noise] has no 'isotropy'; it knows isotropic, radial, diagonal, low_rank, full, shared",
            ),
            (
                "[keys]\ncount = 2\n[noise]\nradial = { factor = 1 }",
                "[noise] radial has no 'factor'; it knows variance, key",
            ),
            (
                "[keys]\ncount = 2\n[noise]\nradial = { key = 1 }",
                "[noise] radial needs variance, as in { variance = …, key = 0 }",
            ),
            (
                "[keys]\ncount = 2\n[noise]\nradial = { variance = 1, key = 0.5 }",
                "[noise] radial key must be a whole number; got 0.5",
            ),
            (
                "[keys]\ncount = 2\n[noise]\nradial = { variance = 1, key = 2 }",
                "the radial part is for key 2, but there are keys 0 to 1",
            ),
            (
                "[keys]\ncount = 2\n[noise]\nisotropic = [1, -1]",
                "[noise] isotropic: an isotropic variance must be finite and not negative; that of key 1 is not",
            ),
            (
                "[keys]\ncount = 2\n[noise]\nfull = [[1, 2], [2, 1]]",
                "[noise] full: the covariance of all keys is not positive semi-definite: its smallest eigenvalue is -1",
            ),
            (
                "[keys]\ncount = 2\n[noise]\nisotropic = [1, 2, 3]",
                "the isotropic part has numbers for 3 keys; there are 2",
            ),
            (
                "[keys]\ncount = 2\n[values]\nrows = [[1]]",
                "[values] needs one row for each of the 2 keys; got 1",
            ),
        ],
    )
    def test_what_does_not_fit(self, complaint, text, message):
        assert complaint(text) == f"keys.toml: {message}"
